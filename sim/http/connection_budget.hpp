#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <string>

namespace watchlab::sim {

/// Shares out what a server may keep for all of its connections together: bytes of requests that
/// are not whole and of answers that are not read, and descriptors. Nobody is refused because of
/// others. When there is no room, a connection gives up what is kept for it: of the address that
/// keeps most, the one whose bytes have not moved for longest. So one that does not read, or sends
/// its request a byte at a time, pays for itself. One thread.
class ConnectionBudget {
 public:
  class Connection;

 private:
  struct Address {
    std::size_t bytes = 0;
    std::size_t connections = 0;
  };
  using Addresses = std::map<std::string, Address, std::less<>>;
  using Order = std::list<Connection*>;

 public:
  /// A connection.
  class Connection {
   public:
    Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    virtual ~Connection() = default;

    /// Ends what is kept for it, and with that the connection; then nothing is kept.
    virtual void give_up_room() = 0;
    /// Ends the connection, and gives its descriptor back at once.
    virtual void give_up_place() = 0;
    /// Whether no request of its is being served, so that its client loses nothing with it.
    [[nodiscard]] virtual bool is_waiting() const = 0;

   private:
    friend class ConnectionBudget;
    Addresses::iterator address_;
    Order::iterator place_;       // among all
    Order::iterator kept_place_;  // among those for whom something is kept
    std::size_t bytes_ = 0;
    std::size_t moved_ = 0;  // since it was last put at the end of the orders
  };

  explicit ConnectionBudget(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  ConnectionBudget(const ConnectionBudget&) = delete;
  ConnectionBudget& operator=(const ConnectionBudget&) = delete;
  ~ConnectionBudget() = default;

  /// A connection begins, from that address, and ends.
  void enter(Connection& connection, const std::string& address);
  void leave(Connection& connection);
  /// So many bytes are kept for it now. Others give up theirs if that is too much; never itself,
  /// so that a single answer may be as long as it is.
  void keep(Connection& connection, std::size_t bytes);
  /// So many bytes have come from its client, or gone to it.
  void moved(Connection& connection, std::size_t bytes);
  /// Ends the connection that waits for a request for longest, of the address that has most. False
  /// when none does.
  bool make_place();
  /// What is kept for all.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void make_room(const Connection& wanted_by);
  [[nodiscard]] Connection* oldest_of_heaviest(const Connection& wanted_by) const;

  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  Addresses addresses_;
  Order all_;   // the one whose bytes have not moved for longest comes first
  Order kept_;  // the same
  bool is_making_room_ = false;
};

}  // namespace watchlab::sim
