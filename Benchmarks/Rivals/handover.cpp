// The diamonds of WorkflowHandOver.swift on oneTBB's flow graph: from the end of a body to the begin of a dependent's
// body on another thread; its p50 and p99 in nanoseconds, and the share of all dependents that began on another thread.
// usage: handover DIAMONDS NANOSECONDS WORKERS
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>
#include "spin.h"

using oneapi::tbb::flow::continue_msg;
using Node = oneapi::tbb::flow::continue_node<continue_msg>;

struct Body {
    uint64_t begin = 0, end = 0;
    std::thread::id thread;
};

int main(int argc, char **argv) {
    int diamonds = argc > 1 ? atoi(argv[1]) : 4000;
    uint64_t length = argc > 2 ? strtoull(argv[2], nullptr, 10) : 20000;
    size_t workers = argc > 3 ? (size_t)atoi(argv[3]) : 2;
    oneapi::tbb::global_control control(oneapi::tbb::global_control::max_allowed_parallelism, workers);
    oneapi::tbb::flow::graph g;
    std::vector<Body> bodies((size_t)diamonds * 3);
    std::vector<std::unique_ptr<Node>> nodes;
    for (size_t i = 0; i < bodies.size(); i++) {
        Body *body = &bodies[i];
        nodes.push_back(std::make_unique<Node>(g, [body, length](const continue_msg &message) {
            body->begin = now();
            body->thread = std::this_thread::get_id();
            spin(length);
            body->end = now();
            return message;
        }));
        // A diamond is a top and two sides; the next one's top waits for both sides.
        size_t top = i - i % 3;
        if (i % 3 > 0) {
            oneapi::tbb::flow::make_edge(*nodes[top], *nodes[i]);
        } else if (i > 0) {
            oneapi::tbb::flow::make_edge(*nodes[i - 2], *nodes[i]);
            oneapi::tbb::flow::make_edge(*nodes[i - 1], *nodes[i]);
        }
    }
    nodes[0]->try_put(continue_msg());
    g.wait_for_all();
    std::vector<double> samples;
    for (size_t i = 0; i < bodies.size(); i++) {
        const Body &top = bodies[i - i % 3];
        if (i % 3 > 0 && bodies[i].thread != top.thread) samples.push_back((double)(bodies[i].begin - top.end));
    }
    if (samples.empty()) return 1;
    std::sort(samples.begin(), samples.end());
    auto at = [&](double share) { return samples[std::min(samples.size() - 1, (size_t)(samples.size() * share))]; };
    printf("%.0f %.0f %.3f\n", at(0.5), at(0.99), samples.size() / (2.0 * diamonds));
}
