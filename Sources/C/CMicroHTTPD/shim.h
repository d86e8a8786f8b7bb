#pragma once
#include <sys/socket.h>
#include <microhttpd.h>

// MHD_start_daemon is variadic, which Swift does not import. Every option we use, once. Its log is not among them: it is
// chatty, and a va_list has another Swift type on each processor.
static inline struct MHD_Daemon *bridge_mhd_start(
    unsigned int flags, const struct sockaddr *address, MHD_AccessHandlerCallback handler, void *handler_argument,
    void *(*begin)(void *, const char *, struct MHD_Connection *), MHD_RequestCompletedCallback completed,
    unsigned int connection_limit, unsigned int per_address_limit, unsigned int timeout_seconds,
    size_t connection_memory) {
  return MHD_start_daemon(
      flags, 0, NULL, NULL, handler, handler_argument,
      MHD_OPTION_SOCK_ADDR, address,
      MHD_OPTION_URI_LOG_CALLBACK, begin, handler_argument,
      MHD_OPTION_NOTIFY_COMPLETED, completed, handler_argument,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, per_address_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
      MHD_OPTION_END);
}

// MHD_get_daemon_info is variadic. Minus one where the daemon has no such descriptor.
static inline int bridge_mhd_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline int bridge_mhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}
