# SPDX-License-Identifier: Apache-2.0
"""torchvision's networks with random weights for the ExecuTorch corpus."""
import sys

import torch
from torch import nn


def models():
    """torchvision.models. Its operators in C, which these networks do not use, cannot be loaded beside a torch that is
    built for the CPU alone: then they are declared by name only."""
    library = torch.library.Library("torchvision", "FRAGMENT")
    while True:
        try:
            import torchvision.models
            return torchvision.models, library
        except RuntimeError as e:
            if "torchvision::" not in str(e):
                raise
            library.define(str(e).split("torchvision::")[1].split()[0] + "(Tensor a) -> Tensor")
            for name in [n for n in sys.modules if n.startswith("torchvision")]:
                del sys.modules[name]


def randomise(model):
    """Normalisation as after training, else the values of deep networks die out."""
    for layer in model.modules():
        if isinstance(layer, nn.BatchNorm2d):
            nn.init.uniform_(layer.weight, 0.5, 1.5)
            nn.init.normal_(layer.bias, 0, 0.2)
            layer.running_mean.normal_(0, 0.2)
            layer.running_var.uniform_(0.4, 1.6)
    return model


def network(name, size, **options):
    def make(rng):
        module = getattr(models()[0], name)(weights=None, num_classes=int(rng.integers(2, 30)), **options)
        return randomise(module), (torch.randn(1, 3, size, size),)
    return make


def assembled(make_model, size):
    """A network that its class builds at a reduced size."""
    def make(rng):
        return make_model(models()[0]), (torch.randn(1, 3, size, size),)
    return make


def convnext(tv):
    setting = tv.convnext.CNBlockConfig
    return tv.convnext.ConvNeXt([setting(16, 32, 1), setting(32, None, 1)], num_classes=7)


def vision_transformer(tv):
    return tv.VisionTransformer(32, 8, num_layers=2, num_heads=3, hidden_dim=48, mlp_dim=96, num_classes=7)


def swin(tv):
    return tv.SwinTransformer([4, 4], 24, [2, 2], [2, 4], [4, 4], num_classes=7)


MODULES = {
    "mobilenet_v2_half": network("mobilenet_v2", 64, width_mult=0.5),
    "mobilenet_v3_small": network("mobilenet_v3_small", 64),
    "resnet18": network("resnet18", 48),
    "squeezenet": network("squeezenet1_1", 64),
    "shufflenet": network("shufflenet_v2_x0_5", 64),
    "efficientnet": network("efficientnet_b0", 48),
    "mnasnet": network("mnasnet0_5", 64),
    "regnet": network("regnet_y_400mf", 48),
    "resnet50": network("resnet50", 32),
    "mobilenet_v3_large": network("mobilenet_v3_large", 64),
    "googlenet": network("googlenet", 64, aux_logits=False, init_weights=False),
    "inception_v3": network("inception_v3", 80, aux_logits=False, init_weights=False),
    "densenet121": network("densenet121", 32),
    "convnext": assembled(convnext, 32),
    "vision_transformer": assembled(vision_transformer, 32),
    "swin": assembled(swin, 32),
}
