/* Whole connections of ngtcp2 in virtual time over one drop-tail FIFO, with a handshake of its own and no cryptography (16 bytes of overhead
 * are zeros): what src/ngtcp2.c is compared with. `build.sh ngtcp2-cubic` compiles both.
 *
 *   build/nine-cubics/ngtcp2-stack SECONDS CONNECTIONS BUFFER_PACKETS [MBIT/S [PAUSE]]
 *
 * They send without end, or 15 MB at a time with a pause of so many seconds between. */
#include <arpa/inet.h>
#include <ngtcp2/ngtcp2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NEVER UINT64_MAX
enum { HELLO = 512, MTU = 1472, HEADERS = 28, BURST = 15000000, MOST = 16, RING = 1 << 14, ONE_WAY = 20000000, ZEROS = 1 << 16 };
typedef struct side {
  ngtcp2_conn *conn;
  struct side *peer;
  int64_t stream, client;
  uint64_t heard[3], allowed, written, received, resumes;
  uint8_t hello[HELLO];
} side;
typedef struct { uint64_t at; side *to; size_t size; uint8_t data[MTU]; } datagram;
static struct { uint64_t first, next; datagram ring[RING]; } wires[2]; /* what leaves first arrives first */
static uint64_t now, leaves[RING], sent, dropped, waiting, head, tail, buffer, draws;
static double rate, pause_s, link_free;
static struct sockaddr_in place = {.sin_family = AF_INET};
static ngtcp2_path path = {{(ngtcp2_sockaddr *)&place, sizeof place}, {(ngtcp2_sockaddr *)&place, sizeof place}, NULL};
static const ngtcp2_crypto_aead_ctx key;
static const ngtcp2_crypto_cipher_ctx cipher;
static const ngtcp2_crypto_ctx plain = {.aead.max_overhead = 16, .max_encryption = NEVER, .max_decryption_failure = NEVER};
static const uint8_t iv[16];
static uint8_t zeros[ZEROS];
static void must(int64_t status, const char *what) {
  if (status < 0) fprintf(stderr, "%s: %s\n", what, ngtcp2_strerror((int)status)), exit(1);
}
#define CRYPTO(name) static int name(uint8_t *to, const ngtcp2_crypto_aead *aead, const ngtcp2_crypto_aead_ctx *own, const uint8_t *from, \
                                     size_t size, const uint8_t *nonce, size_t nonce_size, const uint8_t *aad, size_t aad_size)
CRYPTO(encrypt) { return memmove(to, from, size), memset(to + size, 0, 16), 0; }
CRYPTO(decrypt) { return memmove(to, from, size - 16), 0; }
static int mask(uint8_t *to, const ngtcp2_crypto_cipher *of, const ngtcp2_crypto_cipher_ctx *own, const uint8_t *sample) {
  return memset(to, 0, NGTCP2_HP_MASKLEN), 0;
}
static void draw(uint8_t *to, size_t size, const ngtcp2_rand_ctx *context) {
  while (size-- > 0) *to++ = (uint8_t)((draws = draws * 6364136223846793005u + 1442695040888963407u) >> 56);
}
static int new_id(ngtcp2_conn *conn, ngtcp2_cid *id, ngtcp2_stateless_reset_token *token, size_t size, void *user) {
  return draw(id->data, id->datalen = size, NULL), draw(token->data, sizeof token->data, NULL), 0;
}
static int challenge(ngtcp2_conn *conn, ngtcp2_path_challenge_data *data, void *user) { return draw(data->data, sizeof data->data, NULL), 0; }
static int next_key(ngtcp2_conn *conn, uint8_t *rx, uint8_t *tx, ngtcp2_crypto_aead_ctx *rx_key, uint8_t *rx_iv, ngtcp2_crypto_aead_ctx *tx_key,
                    uint8_t *tx_iv, const uint8_t *old_rx, const uint8_t *old_tx, size_t size, void *user) {
  return memset(rx, 0, size), memset(tx, 0, size), memset(rx_iv, 0, sizeof iv), memset(tx_iv, 0, sizeof iv), *rx_key = *tx_key = key, 0;
}
static void no_key(ngtcp2_conn *conn, ngtcp2_crypto_aead_ctx *own, void *user) {}
static void no_cipher(ngtcp2_conn *conn, ngtcp2_crypto_cipher_ctx *own, void *user) {}
static int retry(ngtcp2_conn *conn, const ngtcp2_pkt_hd *header, void *user) { return -1; }
/* A hello is the transport parameters behind their length: a client's in an Initial packet, a server's in a Handshake packet. Zeros answer it. */
static void hello(side *it, ngtcp2_encryption_level level) {
  ngtcp2_ssize size = ngtcp2_conn_encode_local_transport_params(it->conn, it->hello + 2, HELLO - 2);
  must(size, "parameters"), it->hello[0] = (uint8_t)(size >> 8), it->hello[1] = (uint8_t)size;
  must(ngtcp2_conn_submit_crypto_data(it->conn, level, it->hello, HELLO), "hello");
}
static int first_keys(ngtcp2_conn *conn, const ngtcp2_cid *id, void *user) {
  ngtcp2_conn_set_initial_crypto_ctx(conn, &plain);
  return ngtcp2_conn_install_initial_key(conn, &key, iv, &cipher, &key, iv, &cipher, sizeof iv);
}
static int client_initial(ngtcp2_conn *conn, void *user) {
  return must(first_keys(conn, NULL, NULL), "keys"), hello(user, NGTCP2_ENCRYPTION_LEVEL_INITIAL), 0;
}
static int on_crypto(ngtcp2_conn *conn, ngtcp2_encryption_level level, uint64_t offset, const uint8_t *data, size_t size, void *user) {
  side *it = user;
  const uint8_t *theirs = it->peer->hello; /* as it came: packets carry no other bytes */
  int initial = level == NGTCP2_ENCRYPTION_LEVEL_INITIAL;
  if ((it->heard[level] += size) < HELLO) return 0;
  if (it->client != initial)
    must(ngtcp2_conn_decode_and_set_remote_transport_params(conn, theirs + 2, (size_t)(theirs[0] << 8 | theirs[1])), "parameters");
  if (it->client != initial) must(ngtcp2_conn_submit_crypto_data(conn, level, zeros, HELLO), "zeros");
  if (initial) ngtcp2_conn_set_crypto_ctx(conn, &plain);
  must(initial ? ngtcp2_conn_install_rx_handshake_key(conn, &key, iv, sizeof iv, &cipher)
               : ngtcp2_conn_install_rx_key(conn, iv, sizeof iv, &key, iv, sizeof iv, &cipher), "key");
  must(initial ? ngtcp2_conn_install_tx_handshake_key(conn, &key, iv, sizeof iv, &cipher)
               : ngtcp2_conn_install_tx_key(conn, iv, sizeof iv, &key, iv, sizeof iv, &cipher), "key");
  if (initial && !it->client) hello(it, NGTCP2_ENCRYPTION_LEVEL_HANDSHAKE);
  if (!initial) ngtcp2_conn_tls_handshake_completed(conn);
  return 0;
}
static int on_data(ngtcp2_conn *conn, uint32_t flags, int64_t stream, uint64_t offset, const uint8_t *data, size_t size, void *user, void *own) {
  side *it = user;
  ngtcp2_conn_extend_max_offset(conn, size);
  if ((it->received += size) == it->peer->allowed) it->peer->resumes = now + (uint64_t)(pause_s * 1e9);
  return ngtcp2_conn_extend_max_stream_offset(conn, stream, size);
}
static void open_side(side *it, side *peer, const ngtcp2_cid *ids) {
  ngtcp2_callbacks calls = {.client_initial = client_initial, .recv_client_initial = first_keys, .recv_crypto_data = on_crypto, .encrypt = encrypt,
    .decrypt = decrypt, .hp_mask = mask, .recv_stream_data = on_data, .recv_retry = retry, .rand = draw, .update_key = next_key,
    .delete_crypto_aead_ctx = no_key, .delete_crypto_cipher_ctx = no_cipher, .get_new_connection_id2 = new_id, .get_path_challenge_data2 = challenge};
  ngtcp2_settings settings;
  ngtcp2_transport_params params;
  ngtcp2_settings_default(&settings), ngtcp2_transport_params_default(&params);
  settings.max_tx_udp_payload_size = MTU, settings.no_tx_udp_payload_size_shaping = settings.no_pmtud = 1;
  params.initial_max_data = params.initial_max_stream_data_uni = 64 << 20, params.initial_max_streams_uni = 1;
  *it = (side){.peer = peer, .client = peer > it, .stream = -1, .allowed = pause_s > 0 ? BURST : NEVER, .resumes = NEVER};
  if (!it->client) params.original_dcid = ids[0], params.original_dcid_present = 1;
  must(it->client ? ngtcp2_conn_client_new(&it->conn, &ids[0], &ids[1], &path, NGTCP2_PROTO_VER_V1, &calls, &settings, &params, NULL, it)
                  : ngtcp2_conn_server_new(&it->conn, &ids[1], &ids[2], &path, NGTCP2_PROTO_VER_V1, &calls, &settings, &params, NULL, it), "new");
}
static uint64_t carry(size_t size) { /* when a packet of so many bytes arrives, or never */
  while (head < tail && leaves[head % RING] <= now) head++;
  sent++, waiting += tail - head;
  if (tail - head >= buffer) return dropped++, NEVER;
  link_free = (link_free > (double)now ? link_free : (double)now) + (double)size * 8e9 / rate;
  return leaves[tail++ % RING] = (uint64_t)link_free, (uint64_t)link_free + ONE_WAY;
}
static void serve(side *it) {
  if (ngtcp2_conn_get_expiry(it->conn) <= now) must(ngtcp2_conn_handle_expiry(it->conn, now), "expiry");
  if (it->client && it->stream < 0 && ngtcp2_conn_get_streams_uni_left(it->conn) > 0)
    must(ngtcp2_conn_open_uni_stream(it->conn, &it->stream, NULL), "stream");
  if (it->resumes <= now) it->resumes = NEVER, it->allowed += BURST;
  for (size_t left = ngtcp2_conn_get_send_quantum(it->conn) / MTU; left > 0; left--) {
    ngtcp2_vec data = {zeros, it->allowed - it->written < ZEROS ? it->allowed - it->written : ZEROS};
    datagram *next = &wires[it->client].ring[wires[it->client].next % RING];
    int64_t stream = data.len > 0 ? it->stream : -1;
    ngtcp2_ssize taken = 0, size = ngtcp2_conn_writev_stream(it->conn, NULL, NULL, next->data, MTU, &taken, 0, stream, &data, stream >= 0, now);
    if (must(size, "write"), size == 0) break;
    if (taken > 0) it->written += (uint64_t)taken;
    uint64_t arrives = it->client ? carry((size_t)size + HEADERS) : now + ONE_WAY;
    if (arrives != NEVER) next->at = arrives, next->to = it->peer, next->size = (size_t)size, wires[it->client].next++;
  }
  ngtcp2_conn_update_pkt_tx_time(it->conn, now);
}
int main(int count, char **words) {
  static side sides[2 * MOST];
  int ends = count > 3 ? 2 * atoi(words[2]) : 0;
  if (ends < 2 || ends > 2 * MOST) return fprintf(stderr, "SECONDS CONNECTIONS BUFFER_PACKETS [MBIT/S [PAUSE]]\n"), 2;
  uint64_t end = (uint64_t)(atof(words[1]) * 1e9);
  buffer = strtoull(words[3], NULL, 10);
  rate = count > 4 ? atof(words[4]) * 1e6 : 100e6, pause_s = count > 5 ? atof(words[5]) : 0;
  for (int i = 0; i < ends; i += 2) {
    ngtcp2_cid ids[3] = {{16, {0}}, {16, {0}}, {16, {0}}};
    for (int j = 0; j < 3; j++) draw(ids[j].data, 16, NULL);
    open_side(&sides[i], &sides[i + 1], ids), open_side(&sides[i + 1], &sides[i], ids), serve(&sides[i]);
  }
  while (now <= end) {
    uint64_t next = NEVER;
    side *due = NULL;
    datagram *packet = NULL;
    for (int i = 0; i < 2; i++)
      if (wires[i].first < wires[i].next && wires[i].ring[wires[i].first % RING].at < next)
        packet = &wires[i].ring[wires[i].first % RING], next = packet->at;
    for (int i = 0; i < ends; i++) {
      uint64_t expiry = ngtcp2_conn_get_expiry(sides[i].conn), timer = expiry < sides[i].resumes ? expiry : sides[i].resumes;
      if (timer < next) next = timer, due = &sides[i], packet = NULL;
    }
    if (next > now) now = next;
    if (packet != NULL) due = packet->to, wires[due->peer->client].first++;
    if (packet != NULL) must(ngtcp2_conn_read_pkt(due->conn, &path, NULL, packet->data, packet->size, now), "read");
    serve(due);
  }
  double all = (double)sent;
  printf("link: %.0f packets, %.0f dropped (%.3f %%), mean queue on arrival %.1f\n", all, (double)dropped, 100.0 * (double)dropped / all, (double)waiting / all);
  return 0;
}
