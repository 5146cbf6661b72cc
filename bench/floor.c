/*
 * The least that a client costs and adds on a machine: one thread, epoll, no parsing but for the end of a response.
 * bench/peers.sh runs it beside the load generators, so that their figures can be read against what the machine allows.
 *
 *   floor PORT CONCURRENCY RATE REQUESTS TOKENS OUT     (RATE 0: closed loop; else Poisson arrivals, CONCURRENCY unused)
 *
 * Writes OUT/floor.json with TTFT from the planned send to the first bytes of the body, in ms.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { OPEN_LOOP_CONNECTIONS = 200, MOST = 4096, BATCH = 256 };
static const double SPIN_S = 0.0012;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void die(const char *what) {
  perror(what);
  exit(4);
}

static int connected(int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) < 0) die("connect");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

static int ascending(const void *a, const void *b) {
  double d = *(const double *)a - *(const double *)b;
  return d < 0 ? -1 : d > 0;
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: floor PORT CONCURRENCY RATE REQUESTS TOKENS OUT\n");
    return 2;
  }
  int port = atoi(argv[1]), requests = atoi(argv[4]);
  double rate = atof(argv[3]);
  int places = rate > 0 ? OPEN_LOOP_CONNECTIONS : atoi(argv[2]);
  static int fd[MOST], idle[MOST], first[MOST];
  static double due[MOST];
  static char bytes[1 << 16];
  char body[256], request[512], path[4096];
  int bodyLength = snprintf(body, sizeof body, "{\"model\":\"null\",\"messages\":[{\"role\":\"user\",\"content\":"
      "\"one two three four five six seven eight nine ten eleven twelve\"}],\"stream\":true,\"max_tokens\":%s}", argv[5]);
  int length = snprintf(request, sizeof request, "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
      "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", bodyLength, body);
  double *ttft = malloc(requests * sizeof *ttft);
  int poll = epoll_create1(0), idles = 0;
  if (places > MOST || ttft == NULL || poll < 0) die("floor");
  for (int i = 0; i < places; i++) {
    fd[i] = connected(port);
    epoll_ctl(poll, EPOLL_CTL_ADD, fd[i], &(struct epoll_event){.events = EPOLLIN, .data.u32 = i});
    idle[idles++] = i;
  }
  srand48(1);
  double next = now() + 0.1;
  struct epoll_event ready[BATCH];
  for (int sent = 0, answered = 0, begun = 0; answered < requests;) {
    double wait = sent < requests ? next - now() : 1;
    if (sent < requests && wait <= 0 && idles > 0) {
      int i = idle[--idles];
      due[i] = rate > 0 ? next : now();
      first[i] = 1;
      if (write(fd[i], request, length) != length) die("write");
      sent++;
      if (rate > 0) next -= log(1 - drand48()) / rate;
      continue;
    }
    int sleep = rate > 0 ? (wait > SPIN_S + 0.001 ? (int)((wait - SPIN_S) * 1e3) : 0) : wait > 0 ? 1 : 1000;
    int many = epoll_wait(poll, ready, BATCH, sleep);
    double at = now();
    for (int j = 0; j < many; j++) {
      int i = ready[j].data.u32;
      ssize_t read = recv(fd[i], bytes, sizeof bytes - 1, 0);
      if (read <= 0) die("recv");
      bytes[read] = 0;
      if (first[i] && strstr(bytes, "data:")) {
        ttft[begun++] = (at - due[i]) * 1e3;
        first[i] = 0;
      }
      if (read >= 5 && !memcmp(bytes + read - 5, "0\r\n\r\n", 5)) {
        idle[idles++] = i;
        answered++;
      }
    }
  }
  qsort(ttft, requests, sizeof *ttft, ascending);
  snprintf(path, sizeof path, "%s/floor.json", argv[6]);
  FILE *out = fopen(path, "w");
  if (out == NULL) die(path);
  fprintf(out, "{\"ttft_ms\":{\"p50\":%.4f,\"p99\":%.4f}}\n", ttft[requests / 2], ttft[(int)(requests * 0.99)]);
  return fclose(out);
}
