#!/usr/bin/env python3
"""Trains a network for the engine on a GPU, with a teacher's labels.

It reads the records that `quevedo datagen pack` writes, labels their positions with `teacher.py`'s teacher, and writes a checkpoint,
which `quevedo train --from` turns into a network. It needs PyTorch and NumPy. How a network is made with it is described in
src/train/README.md, the arithmetic of a network in src/eval/nnue/mod.rs, and a checkpoint in src/train/checkpoint.rs.

Few of a network's inputs are on, and a processor adds up their weights. A GPU multiplies matrices so fast that it is simpler, and
fast enough, to multiply all weights by zeros and ones.
"""
import argparse
import math
import struct
import time

import torch
import torch.nn as nn

import teacher
from teacher import K, NEIGHBOUR, USED

KING_BUCKETS, MARKS, FEATURES, PIECES = 8, 3, 768, 12
BUCKETS, SECOND, THIRD = 8, 16, 32
OWN_KING, OTHER_KING = 6, 12

# The factoriser: behind the inputs of a network come those that all king buckets share, and those that all squares of a marked piece
# share. The number of columns is a multiple of 64, which suits the GPU.
MARKED = KING_BUCKETS * FEATURES
INPUTS = MARKED + MARKS * FEATURES
SHARED = INPUTS + FEATURES
COLUMNS = SHARED + MARKS * PIECES
PADDING = -COLUMNS % 64

# Bounds of what becomes small integers in the network file.
OUTPUT_BOUND, SECOND_BOUND = 1.98, 127 / 128

# Losses are multiplied by this, so that small gradients can be told from zero in half precision.
LOSS_SCALE = 16

# The parts of a record that training needs: the squares and the marks.
PARTS = [slice(0, 32), slice(48, 72)]


def king_bucket(square):
    rank, file = divmod(square, 8)
    from_edge = min(file, 7 - file)
    return [from_edge, 4 if from_edge < 2 else 5, 6][rank] if rank < 3 else 7


class Inputs(nn.Module):
    """Returns the inputs of positions, first as the sides to move see them and then as the others do, and the output buckets."""

    def __init__(self, precision):
        super().__init__()
        self.precision = precision
        self.register_buffer('king_buckets', torch.tensor([king_bucket(square) for square in range(64)]))
        self.register_buffer('buckets', torch.arange(KING_BUCKETS))
        self.register_buffer('squares', torch.arange(64))
        self.register_buffer('codes', torch.arange(1, 1 + PIECES))
        self.register_buffer('bits', torch.arange(8, dtype=torch.uint8))

    def forward(self, packed):
        count = len(packed)
        codes = torch.stack((packed[:, :32] & 15, packed[:, :32] >> 4), 2).reshape(count, 64).long()
        pieces = codes[:, None] == self.codes[:, None]
        marked = (packed[:, 32:].reshape(count, MARKS, 8, 1) >> self.bits & 1).reshape(count, MARKS, 64)
        kings = [(codes == code).byte().argmax(1) for code in (OWN_KING, OTHER_KING)]
        # In records the own king is on files e to h. A network sees each king on files a to d, and its own side below.
        flips = [torch.full_like(kings[0], 7), torch.where(kings[1] & 4 > 0, 7, 0) ^ 56]
        rows = []
        for side, (king, flip) in enumerate(zip(kings, flips)):
            order = self.squares ^ flip[:, None]
            seen = pieces.gather(2, order[:, None].expand(-1, PIECES, -1)).to(self.precision)
            seen = seen.roll(side * PIECES // 2, 1)
            marks = marked.gather(2, order[:, None].expand(-1, MARKS, -1)).to(self.precision)
            bucket = (self.king_buckets[king ^ flip][:, None] == self.buckets).to(self.precision)
            by_bucket = bucket[:, :, None, None] * seen[:, None]
            by_mark = marks[:, :, None] * seen[:, None]
            parts = [by_bucket, by_mark, seen, by_mark.sum(3), seen.new_zeros(count, PADDING)]
            rows.append(torch.cat([part.flatten(1) for part in parts], 1))
        men = (codes > 0).sum(1)
        return torch.cat(rows), ((men - 2).clamp(min=0) // 4).clamp(max=BUCKETS - 1)


class Network(nn.Module):
    """Returns the outputs for the sides to move, as logits. Output buckets share weights of small layers, to which each adds its own."""

    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden

        def uniform(bound, *shape):
            return (2 * torch.rand(shape) - 1) * bound

        def with_shared(shared):
            return nn.Parameter(torch.cat((torch.zeros(BUCKETS, *shared.shape), shared[None])))

        # About 32 inputs are on, and each sums two weights.
        bound = 1 / math.sqrt(2 * 32)
        self.first = nn.Parameter(torch.cat((uniform(bound, COLUMNS, hidden), torch.zeros(PADDING, hidden))))
        self.first_bias = nn.Parameter(torch.zeros(hidden))
        self.output = nn.Parameter(uniform(1 / math.sqrt(2 * hidden), 1, 2 * hidden).repeat(BUCKETS, 1))
        self.output_bias = nn.Parameter(torch.zeros(BUCKETS))
        self.second = with_shared(uniform(3 / math.sqrt(2 * hidden), SECOND, 2 * hidden))
        self.third = with_shared(uniform(0.5, 2 * SECOND, THIRD))
        self.second_bias = with_shared(torch.zeros(SECOND))
        self.third_bias = with_shared(torch.full((THIRD,), 0.1))
        self.last = with_shared(torch.zeros(THIRD))

    def small_layers(self):
        """Returns the small layers of each bucket, in the order of a checkpoint."""
        parts = self.second, self.third, self.second_bias, self.third_bias, self.last
        return [part[:BUCKETS] + part[BUCKETS:] for part in parts]

    def forward(self, inputs, buckets):
        count, precision = len(buckets), inputs.dtype
        second, third, second_bias, third_bias, last = self.small_layers()
        sums = inputs @ self.first.to(precision) + self.first_bias.to(precision)
        active = torch.cat(sums.clamp(0, 1).square().chunk(2), 1)
        weights = torch.cat((self.output, second.flatten(0, 1))).to(precision)
        # All buckets are computed, and those of the positions chosen.
        direct, z = (active @ weights.T).float().split([BUCKETS, BUCKETS * SECOND], 1)
        z = (z.reshape(count, BUCKETS, SECOND) + second_bias)[torch.arange(count, device=z.device), buckets]
        y = torch.cat((z.clamp(0, 1), z.square().clamp(max=1)), 1) @ third.transpose(0, 1).flatten(1)
        y = (y.reshape(count, BUCKETS, THIRD) + third_bias).clamp(0, 1)
        outputs = direct + self.output_bias + (y * last).sum(2)
        return outputs.gather(1, buckets[:, None])[:, 0]

    @torch.no_grad()
    def clip(self):
        self.output.clamp_(-OUTPUT_BOUND, OUTPUT_BOUND)
        own, shared = self.second[:BUCKETS], self.second[BUCKETS:]
        own.copy_((own + shared).clamp(-SECOND_BOUND, SECOND_BOUND) - shared)

    @torch.no_grad()
    def numbers(self):
        """Returns the parameters in the order of a checkpoint, with the shared weights added."""
        first = self.first[:INPUTS].clone()
        first[:MARKED] += self.first[INPUTS:SHARED].repeat(KING_BUCKETS, 1)
        first[MARKED:] += self.first[SHARED:COLUMNS].repeat_interleave(64, 0)
        parts = [first, self.first_bias, self.output, self.output_bias]
        for bucket in zip(*self.small_layers()):
            parts += bucket
        return torch.cat([part.flatten() for part in parts]).float().cpu().numpy()


def fnv(data):
    """Returns the 64-bit FNV-1a checksum."""
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def write_checkpoint(path, network, output_scale):
    settings = {
        'hidden': network.hidden, 'king_buckets': KING_BUCKETS, 'marks': 'true', 'buckets': BUCKETS, 'small_layers': BUCKETS,
        'factoriser': 'true', 'average': 0, 'scale': K, 'output_scale': output_scale, 'superbatch': 1, 'superbatches': 1, 'step': 1,
    }
    text = ''.join(f'{name} {value}\n' for name, value in settings.items()).encode()
    body = struct.pack('<I', len(text)) + text + network.numbers().astype('<f4').tobytes()
    with open(path, 'wb') as out:
        out.write(b'Quevedo train 1\0' + struct.pack('<Q', fnv(body)) + body)


class Positions:
    """Labelled positions: what training needs of their records, and the expected results."""

    def __init__(self, paths, taught_by, device):
        taught_by = teacher.load(taught_by, device).eval()
        model = torch.compile(taught_by) if device == 'cuda' else taught_by
        parts = []
        for path in paths:
            records = teacher.read(path)
            records = records[records[:, 37] & (USED | NEIGHBOUR) > 0]
            for some in records.split(8192):
                some = some.to(device)
                expected = torch.sigmoid(teacher.labels(model, some))
                parts.append((torch.cat([some[:, part] for part in PARTS], 1), expected))
        self.packed, self.expected = (torch.cat(part) for part in zip(*parts))


def train(options, device):
    precision = torch.float16 if device == 'cuda' else torch.float32
    positions = Positions(options.records, options.teacher, device)
    held_out = Positions(options.validation, options.teacher, device) if options.validation else None
    print(f'{len(positions.packed)} positions', flush=True)
    inputs, network = Inputs(precision).to(device), Network(options.hidden).to(device)
    if device == 'cuda':
        inputs, run = torch.compile(inputs), torch.compile(network)
    else:
        run = network
    groups = [{'params': [p for p in network.parameters() if (p.dim() > 1) == is_matrix], 'weight_decay': 0.01 * is_matrix}
              for is_matrix in (True, False)]
    # The gradients are those of the sum of a batch's losses.
    eps = 1e-8 * LOSS_SCALE * options.batch
    optimiser = torch.optim.AdamW(groups, lr=options.rate, eps=eps)

    @torch.no_grad()
    def loss_held_out():
        errors = [(torch.sigmoid(run(*inputs(packed))) - expected).square()
                  for packed, expected in zip(held_out.packed.split(options.batch), held_out.expected.split(options.batch))]
        return torch.cat(errors).mean().item()

    begin, step, done, reported = time.time(), 0, 0.0, 0.0
    while done < 1:
        chosen = torch.randint(len(positions.packed), (options.batch,), device=device)
        outputs = run(*inputs(positions.packed[chosen]))
        loss = (torch.sigmoid(outputs) - positions.expected[chosen]).square().sum()
        optimiser.zero_grad(set_to_none=True)
        (loss * LOSS_SCALE).backward()
        step += 1
        if step == 10:
            begin = time.time()  # compiling does not count
        done = (time.time() - begin) / (60 * options.minutes)
        for group in optimiser.param_groups:
            wave = 0.5 * (1 + math.cos(math.pi * min(1, done)))
            group['lr'] = options.rate * min(1, step / 500) * (wave + 0.001)
        optimiser.step()
        network.clip()
        if done >= min(1, reported):
            reported += 0.05
            text = f', held out {loss_held_out():.6f}' if held_out else ''
            visits = step * options.batch / 1e6
            print(f'{100 * done:.0f} %: {visits:.1f} million visits, loss {loss.item() / options.batch:.6f}{text}', flush=True)
    write_checkpoint(options.out, network, options.output_scale)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('records', nargs='+', help='records that datagen pack wrote')
    parser.add_argument('--teacher', required=True, help='the teacher that labels them')
    parser.add_argument('--out', required=True, help='the file for the checkpoint')
    parser.add_argument('--validation', nargs='+', help='records to validate with, of other games')
    parser.add_argument('--hidden', type=int, default=384, help='neurons of the first layer for each side: a multiple of 64')
    parser.add_argument('--minutes', type=float, default=10, help='how long to train')
    parser.add_argument('--rate', type=float, default=1e-3, help='the learning rate at the start; it falls along a cosine')
    parser.add_argument('--batch', type=int, default=16384, help='positions in a step')
    parser.add_argument('--output-scale', type=int, default=K, help='as in quevedo train')
    options = parser.parse_args()
    train(options, 'cuda' if torch.cuda.is_available() else 'cpu')


if __name__ == '__main__':
    main()
