// SPDX-License-Identifier: Apache-2.0
// C++ as the run-time library does it: constructors and destructors of statics in order, exceptions
// through several frames, dynamic types, containers.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Noisy {
	explicit Noisy(const char *name) : name(name) { std::printf("begin %s\n", name); }
	~Noisy() { std::printf("end %s\n", name); }
	const char *name;
};

struct Shape {
	virtual ~Shape() = default;
	virtual int corners() const = 0;
};

struct Triangle : Shape {
	int corners() const override { return 3; }
};

struct Square : Shape {
	int corners() const override { return 4; }
};

Noisy first("first static"), second("second static");

int descend(int depth)
{
	Noisy here("frame");

	if (!depth)
		throw std::runtime_error("from below");
	return descend(depth - 1) + 1;
}

void exceptions()
{
	try {
		descend(2);
	} catch (const std::exception &e) {
		std::printf("caught: %s\n", e.what());
	}
	try {
		throw 42;
	} catch (const char *) {
		std::puts("wrong type");
	} catch (int number) {
		std::printf("caught %d\n", number);
	}
}

void types()
{
	const std::unique_ptr<Shape> shapes[] = { std::make_unique<Triangle>(), std::make_unique<Square>() };
	int corners = 0;

	for (const auto &shape : shapes)
		corners += shape->corners() * (dynamic_cast<const Square *>(shape.get()) ? 10 : 1);
	std::printf("corners %d\n", corners);
}

void containers()
{
	std::map<std::string, int> words;
	std::vector<double> numbers;

	for (int i = 0; i < 100; i++) {
		words["k" + std::to_string(i * 37 % 101)] += i;
		numbers.push_back(i * 7919 % 101 / 4.0);
	}
	std::sort(numbers.begin(), numbers.end());
	std::printf("%u words, first %s, numbers %.2f to %.2f\n", (unsigned)words.size(), words.begin()->first.c_str(),
		    numbers.front(), numbers.back());
}

} // namespace

int main()
{
	static Noisy local("local static");

	exceptions();
	types();
	containers();
	return 5;
}
