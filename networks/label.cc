// Labels positions with a quantised teacher, on processors with AMX (Intel's since 2023): 14,000 a second with two cores, five
// times the speed of PyTorch there. Labels differ by 0.006 points from those of `teacher.py label` (root mean square of the expectations).
//
//     python3 networks/teacher.py quantise teacher.pt games/1.records teacher.int8
//     g++ -O3 -march=sapphirerapids -std=c++20 -o label networks/label.cc -lpthread
//     ./label teacher.int8 games/1.records games/1.labels --neighbours 2
//
// The convolutions multiply bytes, 16 boards at a time: a tile has the same square of 16 boards, so squares outside of the board
// cost nothing. What goes from block to block is kept in half precision, and quantised anew for each convolution.
#include <fcntl.h>
#include <immintrin.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

constexpr int BOARDS = 16, BLOCKS = 12, WIDTH = 128, HALVES = 2, TILE = 1024;  // bytes of a tile
constexpr int SQUEEZED = 32, HIDDEN = 256, SAME = 8, OUTPUTS = 5, PLANES = 13;
// As in teacher.py.
constexpr size_t BYTES = 72;
constexpr int USED = 16, NEIGHBOUR = 128;
constexpr int16_t NO_LABEL = -32768;
constexpr float K = 195, SCORE_WEIGHT = 0.625f, RESULT_WEIGHT = 0.425f;

[[noreturn]] static void fail(const std::string &what) {
  fprintf(stderr, "label: %s\n", what.c_str());
  exit(2);
}

// The weights of the file, in its order: `Conv` and `Block` as they are declared.
struct Conv {
  const int8_t *weights;         // [4 of 32 outputs][3 x 3][half of the inputs][2 of 16 outputs], then a tile
  const float *factors, *biases; // of each output: its value is sum * factor + bias
  const float *steps;            // the reciprocals by which the convolution's inputs are quantised
};
struct Block {
  Conv first, second;
  const float *squeeze, *squeeze_biases, *excite, *excite_biases;
};
static struct {
  const float *stem;      // [plane][3 x 3][output]
  const float *constant;  // [place on the board][1, then what is the same on all squares][output]
  Block blocks[BLOCKS];
  const uint16_t *value;  // from here on brain floats in tiles
  const float *value_biases;
  const uint16_t *hidden;
  const float *hidden_biases, *out, *out_biases;
} teacher;

static void load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(std::string(path) + ": cannot be read");
  fseek(file, 0, SEEK_END);
  size_t size = ftell(file);
  rewind(file);
  auto *at = static_cast<uint8_t *>(aligned_alloc(64, (size + 63) / 64 * 64));
  const uint8_t *end = at + size;
  if (fread(at, 1, size, file) != size) fail(std::string(path) + ": cannot be read");
  fclose(file);
  auto take = [&]<class T>(const T *&place, size_t count) {
    if (count * sizeof(T) > size_t(end - at)) fail(std::string(path) + ": too short for a teacher");
    place = reinterpret_cast<const T *>(at);
    at += count * sizeof(T);
  };
  take(teacher.stem, PLANES * 9 * WIDTH);
  take(teacher.constant, 9 * (1 + SAME) * WIDTH);
  for (Block &block : teacher.blocks) {
    for (Conv *conv : {&block.first, &block.second}) {
      take(conv->weights, 9 * WIDTH * WIDTH);
      take(conv->factors, WIDTH);
      take(conv->biases, WIDTH);
      take(conv->steps, WIDTH);
    }
    take(block.squeeze, SQUEEZED * WIDTH);
    take(block.squeeze_biases, SQUEEZED);
    take(block.excite, SQUEEZED * 2 * WIDTH);
    take(block.excite_biases, 2 * WIDTH);
  }
  take(teacher.value, 32 * WIDTH);
  take(teacher.value_biases, 32);
  take(teacher.hidden, 2048 * HIDDEN);
  take(teacher.hidden_biases, HIDDEN);
  take(teacher.out, (HIDDEN + SAME) * OUTPUTS);
  take(teacher.out_biases, OUTPUTS);
  if (at != end) fail(std::string(path) + ": too long for a teacher");
}

// What 16 boards need on their way through the network; it fits the second level of the cache.
struct alignas(64) Boards {
  uint8_t in[64][HALVES][BOARDS][64], mid[64][HALVES][BOARDS][64];  // inputs of the two convolutions of a block
  uint16_t residual[64][BOARDS][WIDTH], change[64][BOARDS][WIDTH];
  float sums[BOARDS][WIDTH], gates[BOARDS][2 * WIDTH];
  int32_t products[4][16][16];
  uint16_t last[64][4][BOARDS][32], values[64][BOARDS][32];
  float hidden[BOARDS][HIDDEN], same[BOARDS][SAME], statics[BOARDS];
};

static __m512 half(const uint16_t *from) { return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from))); }
static void put_half(uint16_t *to, __m512 values) { _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), _mm512_cvtps_ph(values, 0)); }
static void put_bytes(uint8_t *to, __m512 values) {
  __m512i numbers = _mm512_cvtps_epi32(_mm512_max_ps(values, _mm512_setzero_ps()));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(to), _mm512_cvtusepi32_epi8(numbers));
}
static __m512 relu(__m512 values) { return _mm512_max_ps(values, _mm512_setzero_ps()); }
static int int16(const uint8_t *at) { return int16_t(at[0] | at[1] << 8); }

// The first layer, whose inputs are mostly zero: adds up the weights of the pieces around each square.
static void stem(Boards &s, int board, const uint8_t *record) {
  alignas(64) static thread_local float sums[64][WIDTH], constant[9][WIDTH];
  uint8_t codes[64];
  int men = 0;
  for (int square = 0; square < 64; square++) {
    codes[square] = record[square / 2] >> 4 * (square & 1) & 15;
    men += codes[square] != 0;
  }
  float *same = s.same[board];
  float logit = s.statics[board] = std::clamp(int16(record + 34) / K, -12.f, 12.f);
  for (int right = 0; right < 4; right++) same[right] = record[37] >> right & 1;
  same[4] = record[39] / 100.f;
  same[5] = men / 32.f;
  same[6] = 1 / (1 + expf(-logit));
  same[7] = logit / 4;
  for (int place = 0; place < 9; place++)
    for (int n = 0; n < WIDTH; n += 16) {
      const float *weights = teacher.constant + place * (1 + SAME) * WIDTH + n;
      __m512 sum = _mm512_loadu_ps(weights);
      for (int i = 0; i < SAME; i++) sum = _mm512_fmadd_ps(_mm512_set1_ps(same[i]), _mm512_loadu_ps(weights + (i + 1) * WIDTH), sum);
      _mm512_store_ps(constant[place] + n, sum);
    }
  auto place = [](int line) { return line == 0 ? 0 : line == 7 ? 2 : 1; };
  for (int square = 0; square < 64; square++) memcpy(sums[square], constant[place(square / 8) * 3 + place(square % 8)], sizeof sums[square]);
  auto add = [&](int plane, int square) {
    for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++) {
        int rank = square / 8 - y, file = square % 8 - x;
        if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
        float *sum = sums[rank * 8 + file];
        const float *weights = teacher.stem + (plane * 9 + (y + 1) * 3 + x + 1) * WIDTH;
        for (int n = 0; n < WIDTH; n += 16) _mm512_store_ps(sum + n, _mm512_add_ps(_mm512_load_ps(sum + n), _mm512_loadu_ps(weights + n)));
      }
  };
  for (int square = 0; square < 64; square++)
    if (codes[square]) add(codes[square] - 1, square);
  if (record[38] < 64) add(12, record[38]);
  for (int square = 0; square < 64; square++)
    for (int n = 0; n < WIDTH; n += 16) {
      __m512 values = relu(_mm512_load_ps(sums[square] + n));
      put_half(&s.residual[square][board][n], values);
      put_bytes(&s.in[square][n / 64][board][n % 64], _mm512_mul_ps(values, _mm512_loadu_ps(teacher.blocks[0].first.steps + n)));
    }
}

// Computes the products of a convolution, for two squares and 32 outputs at a time, and passes them on.
template <class Then>
static void convolve(Boards &s, const uint8_t (*in)[HALVES][BOARDS][64], const int8_t *all_weights, Then then) {
  for (int outputs = 0; outputs < WIDTH / 32; outputs++)
    for (int square = 0; square < 64; square += 2) {
      int rank = square / 8, file = square % 8;
      _tile_zero(0);
      _tile_zero(1);
      _tile_zero(2);
      _tile_zero(3);
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
          if (rank + y < 0 || rank + y > 7) continue;
          bool left = file + x >= 0, right = file + 1 + x <= 7;
          for (int part = 0; part < HALVES; part++) {
            const int8_t *weights = all_weights + (((outputs * 9 + (y + 1) * 3 + x + 1) * HALVES + part) * 2) * TILE;
            int from = square + 8 * y + x;
            _tile_loadd(6, weights, 64);
            _tile_loadd(7, weights + TILE, 64);
            if (left) {
              _tile_loadd(4, in[from][part], 64);
              _tile_dpbusd(0, 4, 6);
              _tile_dpbusd(1, 4, 7);
            }
            if (right) {
              _tile_loadd(5, in[from + 1][part], 64);
              _tile_dpbusd(2, 5, 6);
              _tile_dpbusd(3, 5, 7);
            }
          }
        }
      _tile_stored(0, s.products[0], 64);
      _tile_stored(1, s.products[1], 64);
      _tile_stored(2, s.products[2], 64);
      _tile_stored(3, s.products[3], 64);
      for (int i = 0; i < 4; i++)
        for (int board = 0; board < BOARDS; board++)
          then(square + i / 2, board, outputs * 32 + i % 2 * 16, _mm512_cvtepi32_ps(_mm512_load_si512(s.products[i][board])));
    }
}

static void residual_block(Boards &s, const Block &block, const float *next_steps) {
  convolve(s, s.in, block.first.weights, [&](int square, int board, int n, __m512 sums) {
    __m512 values = _mm512_fmadd_ps(sums, _mm512_loadu_ps(block.first.factors + n), _mm512_loadu_ps(block.first.biases + n));
    put_bytes(&s.mid[square][n / 64][board][n % 64], _mm512_mul_ps(values, _mm512_loadu_ps(block.second.steps + n)));
  });
  memset(s.sums, 0, sizeof s.sums);
  convolve(s, s.mid, block.second.weights, [&](int square, int board, int n, __m512 sums) {
    __m512 values = _mm512_fmadd_ps(sums, _mm512_loadu_ps(block.second.factors + n), _mm512_loadu_ps(block.second.biases + n));
    put_half(&s.change[square][board][n], values);
    _mm512_store_ps(&s.sums[board][n], _mm512_add_ps(_mm512_load_ps(&s.sums[board][n]), values));
  });
  for (int board = 0; board < BOARDS; board++) {
    float squeezed[SQUEEZED], *gates = s.gates[board];
    for (int i = 0; i < SQUEEZED; i++) {
      __m512 sum = _mm512_setzero_ps();
      for (int n = 0; n < WIDTH; n += 16) sum = _mm512_fmadd_ps(_mm512_load_ps(s.sums[board] + n), _mm512_loadu_ps(block.squeeze + i * WIDTH + n), sum);
      squeezed[i] = std::max(0.f, _mm512_reduce_add_ps(sum) / 64 + block.squeeze_biases[i]);
    }
    for (int n = 0; n < 2 * WIDTH; n += 16) {
      __m512 sum = _mm512_loadu_ps(block.excite_biases + n);
      for (int i = 0; i < SQUEEZED; i++) sum = _mm512_fmadd_ps(_mm512_set1_ps(squeezed[i]), _mm512_loadu_ps(block.excite + i * 2 * WIDTH + n), sum);
      _mm512_store_ps(gates + n, sum);
    }
    for (int n = 0; n < WIDTH; n++) gates[n] = 1 / (1 + expf(-gates[n]));
  }
  for (int square = 0; square < 64; square++)
    for (int board = 0; board < BOARDS; board++)
      for (int n = 0; n < WIDTH; n += 32) {
        __m512 pair[2];
        for (int i = 0; i < 2; i++) {
          int at = n + 16 * i;
          uint16_t *residual = &s.residual[square][board][at];
          __m512 gated = _mm512_fmadd_ps(half(&s.change[square][board][at]), _mm512_load_ps(s.gates[board] + at), half(residual));
          pair[i] = relu(_mm512_add_ps(gated, _mm512_load_ps(s.gates[board] + WIDTH + at)));
          if (!next_steps) continue;
          put_half(residual, pair[i]);
          put_bytes(&s.in[square][at / 64][board][at % 64], _mm512_mul_ps(pair[i], _mm512_loadu_ps(next_steps + at)));
        }
        if (!next_steps) _mm512_storeu_si512(s.last[square][n / 32][board], (__m512i)_mm512_cvtne2ps_pbh(pair[1], pair[0]));
      }
}

static void head(Boards &s) {
  for (int square = 0; square < 64; square++) {
    _tile_zero(0);
    _tile_zero(1);
    for (int part = 0; part < 4; part++) {
      _tile_loadd(4, s.last[square][part], 64);
      _tile_loadd(6, teacher.value + part * TILE, 64);
      _tile_loadd(7, teacher.value + part * TILE + TILE / 2, 64);
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
    }
    _tile_stored(0, s.products[0], 64);
    _tile_stored(1, s.products[1], 64);
    for (int board = 0; board < BOARDS; board++) {
      __m512 pair[2];
      for (int i = 0; i < 2; i++)
        pair[i] = relu(_mm512_add_ps(_mm512_load_ps(reinterpret_cast<float *>(s.products[i][board])), _mm512_loadu_ps(teacher.value_biases + 16 * i)));
      _mm512_storeu_si512(s.values[square][board], (__m512i)_mm512_cvtne2ps_pbh(pair[1], pair[0]));
    }
  }
  for (int n = 0; n < HIDDEN; n += 32) {
    const uint16_t *weights = teacher.hidden + n / 16 * 64 * TILE / 2;
    _tile_zero(0);
    _tile_zero(1);
    for (int square = 0; square < 64; square++) {
      _tile_loadd(4, s.values[square], 64);
      _tile_loadd(6, weights + square * TILE / 2, 64);
      _tile_loadd(7, weights + (64 + square) * TILE / 2, 64);
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
    }
    _tile_stored(0, &s.hidden[0][n], sizeof s.hidden[0]);
    _tile_stored(1, &s.hidden[0][n + 16], sizeof s.hidden[0]);
  }
}

static int16_t label_of(const Boards &s, int board) {
  float out[OUTPUTS];
  memcpy(out, teacher.out_biases, sizeof out);
  for (int i = 0; i < HIDDEN + SAME; i++) {
    float value = i < HIDDEN ? std::max(0.f, s.hidden[board][i] + teacher.hidden_biases[i]) : s.same[board][i - HIDDEN];
    for (int n = 0; n < OUTPUTS; n++) out[n] += value * teacher.out[i * OUTPUTS + n];
  }
  float most = std::max({out[2], out[3], out[4]});
  float lost = expf(out[2] - most), drawn = expf(out[3] - most), won = expf(out[4] - most);
  float expected = std::clamp((won + drawn / 2) / (lost + drawn + won), 1e-4f, 1 - 1e-4f);
  float logit = SCORE_WEIGHT * (s.statics[board] + out[0]) + RESULT_WEIGHT * logf(expected / (1 - expected));
  return int16_t(lrintf(std::clamp(K * logit, -30000.f, 30000.f)));
}

// Labels up to 16 records.
static void label(Boards &s, const uint8_t *const *records, size_t count, int16_t *const *places) {
  for (int board = 0; board < BOARDS; board++) stem(s, board, records[board < int(count) ? board : 0]);
  for (int i = 0; i < BLOCKS; i++) residual_block(s, teacher.blocks[i], i + 1 < BLOCKS ? teacher.blocks[i + 1].first.steps : nullptr);
  head(s);
  for (size_t board = 0; board < count; board++) *places[board] = label_of(s, int(board));
}

static void label_all(const std::vector<const uint8_t *> &records, const std::vector<int16_t *> &places) {
  std::atomic<size_t> next = 0;
  auto work = [&] {
    struct {
      uint8_t palette = 1, start = 0, zero[14] = {};
      uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
      uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
    } tiles;
    _tile_loadconfig(&tiles);
    auto *boards = static_cast<Boards *>(aligned_alloc(2 << 20, (sizeof(Boards) + (2 << 20) - 1) >> 21 << 21));
    madvise(boards, sizeof *boards, MADV_HUGEPAGE);
    for (size_t i; (i = next.fetch_add(BOARDS)) < records.size();)
      label(*boards, records.data() + i, std::min<size_t>(BOARDS, records.size() - i), places.data() + i);
    free(boards);
    _tile_release();
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); i++) threads.emplace_back(work);
  for (std::thread &thread : threads) thread.join();
}

int main(int count, char **arguments) {
  if (count != 4 && !(count == 6 && std::string(arguments[4]) == "--neighbours")) fail("TEACHER RECORDS OUT [--neighbours N]");
  int neighbours = count == 6 ? atoi(arguments[5]) : 1;
  if (neighbours < 0 || (count == 6 && std::to_string(neighbours) != arguments[5])) fail(std::string(arguments[5]) + ": not a number of neighbours");
  size_t each = 1 + neighbours;
  if (syscall(SYS_arch_prctl, 0x1023 /* ARCH_REQ_XCOMP_PERM */, 18 /* tile data */)) fail("this processor has no AMX");
  load(arguments[1]);
  int file = open(arguments[2], O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) || status.st_size == 0) fail(std::string(arguments[2]) + ": cannot be read");
  if (status.st_size % BYTES) fail(std::string(arguments[2]) + ": ends within a record");
  size_t records = status.st_size / BYTES;
  void *mapped = mmap(nullptr, status.st_size, PROT_READ, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) fail(std::string(arguments[2]) + ": cannot be read");
  auto *bytes = static_cast<const uint8_t *>(mapped);
  if (bytes[37] & NEIGHBOUR) fail(std::string(arguments[2]) + ": begins with a neighbour");
  // The labels take their name when they are complete.
  std::string unfinished = std::string(arguments[3]) + ".part";
  FILE *out = fopen(unfinished.c_str(), "wb");
  if (!out) fail(unfinished + ": cannot be written");
  constexpr size_t AT_ONCE = 1 << 18;
  time_t begin = time(nullptr);
  for (size_t i = 0, done = 0; i < records;) {
    // Whole positions with their neighbours.
    std::vector<int16_t> labels;
    std::vector<const uint8_t *> wanted;
    std::vector<size_t> at;
    for (size_t behind = 0; i < records; i++) {
      const uint8_t *record = bytes + i * BYTES;
      bool is_neighbour = record[37] & NEIGHBOUR;
      if (!is_neighbour && wanted.size() >= AT_ONCE) break;
      behind = is_neighbour ? behind + 1 : 0;
      if (behind >= each) fail(std::string(arguments[2]) + ": more neighbours than " + std::to_string(each - 1));
      if (!is_neighbour) labels.resize(labels.size() + each, NO_LABEL);
      if (!(record[37] & (USED | NEIGHBOUR))) continue;
      wanted.push_back(record);
      at.push_back(labels.size() - each + behind);
    }
    std::vector<int16_t *> places;
    for (size_t place : at) places.push_back(&labels[place]);
    label_all(wanted, places);
    if (fwrite(labels.data(), sizeof labels[0], labels.size(), out) != labels.size()) fail(unfinished + ": cannot be written");
    done += wanted.size();
    fprintf(stderr, "\r%.1f %%, %.0f labels a second ", 100.0 * i / records, done / std::max(1.0, difftime(time(nullptr), begin)));
  }
  if (fclose(out) || rename(unfinished.c_str(), arguments[3])) fail(std::string(arguments[3]) + ": cannot be written");
  fprintf(stderr, "\n");
}
