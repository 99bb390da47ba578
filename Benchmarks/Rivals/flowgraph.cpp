// The shapes of Shape.swift on oneTBB's flow graph: nanoseconds a task to build and to run.
// usage: flowgraph SHAPE COUNT WORKERS
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>
#include "spin.h"

using oneapi::tbb::flow::continue_msg;
using Node = oneapi::tbb::flow::continue_node<continue_msg>;

struct SplitMix {
    uint64_t state;
    uint64_t next() {
        state += 0x9E3779B97F4A7C15ull;
        uint64_t bits = state;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        return bits ^ (bits >> 31);
    }
};

static std::vector<std::vector<int>> prerequisites(const std::string &shape, int count) {
    int width = (int)std::sqrt((double)count);
    if (shape == "wavefront") count = width * width;
    std::vector<std::vector<int>> all(count);
    SplitMix random{42};
    for (int i = 0; i < count; i++) {
        auto &own = all[i];
        if (shape == "chain") { if (i > 0) own = {i - 1}; }
        else if (shape == "tree") { if (i > 0) own = {(i - 1) / 2}; }
        else if (shape == "wavefront") {
            if (i / width > 0) own.push_back(i - width);
            if (i % width > 0) own.push_back(i - 1);
        } else if (shape == "diamonds") {
            switch (i % 4) {
            case 0: if (i > 0) own = {i - 1}; break;
            case 1: own = {i - 1}; break;
            case 2: own = {i - 2}; break;
            default: own = {i - 1, i - 2};
            }
        } else if (shape == "layered") {
            int start = (i / 1000 - 1) * 1000;
            if (start >= 0)
                for (int k = 0; k < 3; k++) own.push_back(start + (int)(random.next() % 1000));
        }
    }
    return all;
}

// Builds and runs the graph once.
static void measure(const std::vector<std::vector<int>> &graph, double &build, double &run) {
    double tasks = (double)graph.size();
    uint64_t began = now();
    oneapi::tbb::flow::graph g;
    std::vector<std::unique_ptr<Node>> nodes;
    nodes.reserve(graph.size());
    std::vector<Node *> roots;
    for (auto &own : graph) {
        nodes.push_back(std::make_unique<Node>(g, [](const continue_msg &message) { return message; }));
        for (int prerequisite : own) oneapi::tbb::flow::make_edge(*nodes[prerequisite], *nodes.back());
        if (own.empty()) roots.push_back(nodes.back().get());
    }
    uint64_t built = now();
    for (auto *root : roots) root->try_put(continue_msg());
    g.wait_for_all();
    uint64_t ran = now();
    build = (built - began) / tasks;
    run = (ran - built) / tasks;
}

int main(int argc, char **argv) {
    std::string shape = argc > 1 ? argv[1] : "chain";
    int count = argc > 2 ? atoi(argv[2]) : 1000000;
    size_t workers = argc > 3 ? (size_t)atoi(argv[3]) : 2;
    oneapi::tbb::global_control control(oneapi::tbb::global_control::max_allowed_parallelism, workers);
    auto graph = prerequisites(shape, count);
    double build = 0, run = 0;
    // The first time touches memory that is new to the process, which the Swift side's process has behind it.
    for (int round = 0; round < 2; round++) measure(graph, build, run);
    printf("%.1f %.1f\n", build, run);
}
