// arrangement.hpp: where a team's members run, how they signal each other at a barrier, and which
// members are near each other.
//
// Why    Programs use few arrangements of a team, but may change between them at each region. So
//        what follows from an arrangement is kept.
// Cost   a region with the arrangement of the last one: a comparison. A team that is kept near its
//        data also looks whether it still may be (near.hpp).
//
// Memory order: the first member that needs a loop::Shape makes it.
//  (1) the release that publishes the shape pairs with
//  (2) the acquire of a member that finds it.
// All else is written between regions, and members see it by F1 of region/fork.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "topo/bind.hpp"

namespace vicino::loop {
class Shape;
}
namespace vicino::sync {
class Layout;
}

namespace vicino::team {

struct Member;
class NearTeam;
class Team;

class Arrangement {
 public:
  Arrangement();
  ~Arrangement();
  Arrangement(const Arrangement&) = delete;

  // Binding and the barriers' layout follow from this.
  struct Wanted {
    int members;
    topo::Bind bind;
    topo::Partition partition;
    int primary_place;  // for Bind::kNear what NearTeam::look() has returned, or -1
    bool operator==(const Wanted&) const = default;
  };
  // Called between regions only.
  void arrange(Team& team, const Wanted& wanted) {
    has_changed_ = wanted != arranged_;
    if (has_changed_) [[unlikely]]
      change(team, wanted);
  }
  // A thread becomes the team's member; called before it begins. When all have become members,
  // settle() holds the primary thread at home and moves the pages of the new workers: arrange()
  // comes before there are such.
  void receive(Member& member) const;
  void settle(Team& team, int members, bool with_new);
  // Makes the next arrange() arrange the team anew.
  void forget() noexcept { arranged_.members = placed_.members = 0; }
  // Whether the last arrange() changed anything, and how many calls have.
  bool has_changed() const noexcept { return has_changed_; }
  uint64_t changes() const noexcept { return changes_; }

  const sync::Layout& layout() const noexcept { return *layout_; }
  // The shape is made when a loop first asks for it. Any member may call this.
  const loop::Shape& shape(const Team& team) const;
  // The shape of the team's first n members, made at each call.
  loop::Shape shape_of_first(const Team& team, int n) const;
  // The near domain that each member is bound to, indexed by member; and the list of those domains. All are
  // -1 if a member is bound to none, or if the machine has only one.
  std::span<const int> domains_of_members() const noexcept { return domain_of_; }
  std::span<const int> domains() const noexcept { return domains_; }
  // The nodes of these domains, for what has to do with memory. All are -1 as above, or if the machine has only
  // one node.
  std::span<const int> nodes_of_members() const noexcept { return node_of_; }
  bool has_several_nodes() const noexcept { return has_several_nodes_; }
  // The core that each member is bound to, indexed by member; -1: it is not bound to one core.
  std::span<const int> cores_of_members() const noexcept { return core_of_; }
  // Called once, by the Team's constructor, when the team has one member.
  void begin(Team& team) { find_domains(team, 1, false); }

 private:
  struct Form;

  void change(Team& team, const Wanted& wanted);
  bool find_home(const Team& team, Wanted& wanted);
  void place_members(Team& team, const Wanted& wanted);
  void place_at(Team& team, const Wanted& wanted);
  void place_near(Team& team, const Wanted& wanted);
  void receive_all(Team& team, int members) const;
  void move_pages(Team& team, int members);
  void find_domains(Team& team, int members, bool same_but_size);
  const Form& form_for(const Team& team, Wanted wanted);

  bool has_changed_ = false;
  uint64_t changes_ = 0;
  std::vector<int> domain_of_, domains_, node_of_, core_of_;
  int page_moves_ = 0;
  bool is_near_ = false, is_inner_ = false;  // how the members were placed last
  // What NearTeam::look() had returned when so many members were placed near their data.
  struct {
    int number = 0, members = 0;
  } placed_;
  bool holds_ = false;  // the primary thread is to be held
  struct {
    int all = -1;
    bool watches = false;
  } range_;  // Worker::Range, of which all members have the same
  Wanted arranged_{0, topo::Bind::kFalse, {}, -1};
  std::unique_ptr<NearTeam> near_;
  // What members read at each barrier and loop lies together.
  const sync::Layout* layout_ = nullptr;  // of form_
  bool has_several_nodes_ = false;
  const Form* form_ = nullptr;
  std::vector<std::unique_ptr<Form>> forms_;
};

}  // namespace vicino::team
