// site/chains.hpp: how long a search is, from few places to the greatest number, and what happens
// to places beyond that number.
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "site/chains.hpp"
#include "site/tuned_site.hpp"

namespace vicino::site {
namespace {

struct Item {
  uintptr_t address;
  Item* next = nullptr;
};

constexpr std::size_t kMost = TunedSite::kMost;

// Each test has its own table, on the heap because its array is too large for the stack.
struct Places {
  bool insert(uintptr_t address) { return find(address) != nullptr; }
  Item* find(uintptr_t address) {
    return chains->find(
        reinterpret_cast<const void*>(address),
        [&](const Item& i) {
          ++looks;
          return i.address == address;
        },
        [&] { return &items.emplace_back(Item{address}); });
  }

  std::unique_ptr<ByAddress<Item, kMost>> chains = std::make_unique<ByAddress<Item, kMost>>();
  std::deque<Item> items;
  uint64_t looks = 0;
};

// Addresses of calls: some bytes apart, in functions of some size, in a program and its libraries.
std::vector<uintptr_t> calls(std::size_t count, uintptr_t apart, std::size_t objects) {
  std::vector<uintptr_t> addresses;
  for (std::size_t i = 0; i < count; ++i)
    addresses.push_back(0x555555554000 + i % objects * 0x2aaaa000000 + i / objects * apart +
                        i * i % 7);
  return addresses;
}

TEST(Chains, ASearchIsAsShortAmongManyAsAmongFew) {
  for (const uintptr_t apart : {16u, 61u, 64u, 128u, 176u, 256u, 1000u, 4096u})
    for (const std::size_t objects : {1u, 3u}) {
      for (const std::size_t count : {std::size_t{100}, std::size_t{10'000}, kMost}) {
        const auto addresses = calls(count, apart, objects);
        ASSERT_EQ(std::set(addresses.begin(), addresses.end()).size(), count);
        Places places;
        for (const uintptr_t address : addresses) ASSERT_TRUE(places.insert(address));
        places.looks = 0;
        uint64_t longest = 0;
        for (const uintptr_t address : addresses) {
          const uint64_t before = places.looks;
          ASSERT_EQ(places.find(address)->address, address);
          longest = std::max(longest, places.looks - before);
        }
        EXPECT_LE(static_cast<double>(places.looks) / static_cast<double>(count), 4)
            << count << " calls, " << apart << " bytes apart, in " << objects << " objects";
        EXPECT_LE(longest, 12u) << count << " calls, " << apart << " bytes apart";
      }
    }
}

TEST(Chains, BeyondTheMostThereAreNoneAndNobodyWaits) {
  Places places;
  const auto addresses = calls(kMost + 2, 64, 1);
  for (std::size_t i = 0; i < kMost; ++i) ASSERT_TRUE(places.insert(addresses[i]));
  EXPECT_EQ(places.find(addresses[kMost]), nullptr);
  EXPECT_EQ(places.items.size(), kMost);
  std::promise<bool> answer;
  std::thread other;
  {
    const sync::Cold cold;
    other = std::thread([&] { answer.set_value(places.find(addresses[kMost + 1]) == nullptr); });
    auto found = answer.get_future();
    EXPECT_EQ(found.wait_for(std::chrono::seconds(20)), std::future_status::ready)
        << "it waits for the lock";
  }
  other.join();
  EXPECT_EQ(places.find(addresses[0])->address, addresses[0]);
}

}  // namespace
}  // namespace vicino::site
