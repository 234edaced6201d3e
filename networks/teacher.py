#!/usr/bin/env python3
"""A teacher for Quevedo's network: a residual convolutional network that sees more in a position, far too slowly for a search.

It learns from the records that `quevedo datagen pack` writes, and labels positions for `quevedo train --labels`. It needs
PyTorch and NumPy, and a GPU to be of use. How a network is made with it is described in src/train/README.md, the records in
src/train/records.rs and the labels in src/train/labels.rs.
"""
import argparse
import math
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BYTES = 72
K = 195  # centipawns of an expectation of 0.73 points, as in `train --scale`
USED, NEIGHBOUR = 16, 128  # flags of a record
NO_LABEL = -32768

# The label is K times a mean of the logits of the lambda-return and the result. Each counts about half: in games of network 12, the
# result's logits are 1.75 times the other's. The mean is nearer to long searches than either (networks/HISTORY.md).
SCORE_WEIGHT, RESULT_WEIGHT = 0.625, 0.425


def read(path):
    return torch.from_numpy(np.fromfile(path, dtype=np.uint8).reshape(-1, BYTES))


def int16(records, at):
    value = records[:, at].int() + 256 * records[:, at + 1].int()
    return torch.where(value > 32767, value - 65536, value).float()


def inputs(records):
    """Returns the planes (records, 22, 8, 8), the static evaluation as a logit, and what is the same on all squares."""
    count = len(records)
    pairs = records[:, :32]
    codes = torch.stack((pairs & 15, pairs >> 4), 2).reshape(-1, 64).long()
    pieces = F.one_hot(codes, 13)[:, :, 1:].permute(0, 2, 1).reshape(count, 12, 8, 8)
    en_passant = F.one_hot(records[:, 38].long().clamp(max=64), 65)[:, :64].reshape(count, 1, 8, 8)
    static = (int16(records, 34) / K).clamp(-12, 12)
    castling = [(records[:, 37].int() >> bit & 1).float() for bit in range(4)]
    halfmoves, men = records[:, 39].float() / 100, (codes > 0).sum(1).float() / 32
    same = torch.stack((*castling, halfmoves, men, torch.sigmoid(static), static / 4), 1)
    board = torch.ones(count, 1, 8, 8, device=records.device)
    planes = torch.cat((pieces, en_passant, board, same[:, :, None, None].expand(count, 8, 8, 8)), 1)
    return planes.to(torch.bfloat16).contiguous(memory_format=torch.channels_last), static, same


class Block(nn.Module):
    """A residual block with squeeze and excitation (Hu et al. 2018)."""

    def __init__(self, width):
        super().__init__()
        self.c1 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.b1 = nn.BatchNorm2d(width)
        self.c2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.b2 = nn.BatchNorm2d(width)
        self.f1 = nn.Linear(width, 32)
        self.f2 = nn.Linear(32, 2 * width)
        nn.init.zeros_(self.b2.weight)

    def forward(self, x):
        return self.after(x, F.relu(self.b1(self.c1(x))))

    def after(self, x, y):
        y = self.b2(self.c2(y))
        scale, shift = self.f2(F.relu(self.f1(y.mean((2, 3))))).chunk(2, 1)
        return F.relu(x + y * torch.sigmoid(scale)[:, :, None, None] + shift[:, :, None, None])


class Teacher(nn.Module):
    """Returns what the static evaluation lacks to the lambda-return and to the score, as logits; the result's three logits; and
    4,096 logits of the move, by from and to."""

    def __init__(self, width=128, blocks=12):
        super().__init__()
        self.stem = nn.Conv2d(22, width, 3, padding=1, bias=False)
        self.bs = nn.BatchNorm2d(width)
        self.blocks = nn.Sequential(*[Block(width) for _ in range(blocks)])
        self.v = nn.Conv2d(width, 32, 1, bias=False)
        self.bv = nn.BatchNorm2d(32)
        self.f1 = nn.Linear(2048, 256)
        self.f2 = nn.Linear(256 + 8, 5)
        self.q = nn.Conv2d(width, 64, 1)
        self.k = nn.Conv2d(width, 64, 1)
        with torch.no_grad():
            self.f2.weight[:2] *= 0.1

    def forward(self, planes, same):
        count = len(planes)
        x = self.blocks(F.relu(self.bs(self.stem(planes))))
        value = F.relu(self.f1(F.relu(self.bv(self.v(x))).reshape(count, -1)))
        out = self.f2(torch.cat((value, same), 1))
        come_from = self.q(x).reshape(count, 64, 64).transpose(1, 2)
        go_to = self.k(x).reshape(count, 64, 64)
        return out, (come_from @ go_to * 0.125).reshape(count, 4096)


def outputs(model, records):
    """Returns the logits of the lambda-return, the score, the result and the move."""
    planes, static, same = inputs(records)
    with torch.autocast(records.device.type, dtype=torch.bfloat16):
        out, move = model(planes, same)
    out = out.float()
    return static + out[:, 0], static + out[:, 1], out[:, 2:], move.float()


def load(path, device):
    teacher = Teacher().to(device).to(memory_format=torch.channels_last)
    if path:
        teacher.load_state_dict(torch.load(path, map_location=device, weights_only=True))
    return teacher


def train(options, device):
    records = torch.cat([positions[(positions[:, 37] & NEIGHBOUR) == 0] for positions in map(read, options.records)]).to(device)
    teacher = load(options.start, device)
    model = torch.compile(teacher) if device == 'cuda' else teacher
    matrices = [p for p in teacher.parameters() if p.dim() > 1]
    vectors = [p for p in teacher.parameters() if p.dim() <= 1]
    groups = [{'params': matrices, 'weight_decay': 0.02}, {'params': vectors, 'weight_decay': 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98))
    begin = last = None
    order, at, done, step = torch.empty(0), 0, 0.0, 0
    while done < 1:
        if at + options.batch > len(order):
            order, at = torch.randperm(len(records), device=device), 0
        batch = records[order[at:at + options.batch]]
        at += options.batch
        later, score, result, move = outputs(model, batch)
        played = batch[:, 40].long() * 64 + batch[:, 41].long()
        loss = (F.binary_cross_entropy_with_logits(later, torch.sigmoid(int16(batch, 46) / K))
                + F.binary_cross_entropy_with_logits(score, torch.sigmoid(int16(batch, 32) / K))
                + 0.3 * F.cross_entropy(result, batch[:, 36].long()) + 0.1 * F.cross_entropy(move, played))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
        begin = begin or time.time()  # compiling does not count
        done = (time.time() - begin) / (60 * options.minutes)
        step += 1
        for group in optimiser.param_groups:
            wave = 0.5 * (1 + math.cos(math.pi * min(1, done)))
            group['lr'] = options.rate * min(1, step / 300) * (wave + 0.002)
        optimiser.step()
        if last is None or time.time() - last > 30:
            last = time.time()
            print(f'{100 * done:.0f} %: {step * options.batch / 1e6:.1f} million visits, loss {loss.item():.4f}', flush=True)
    state = teacher.state_dict()
    torch.save({name: value.half() if value.is_floating_point() else value for name, value in state.items()}, options.out)


@torch.no_grad()
def labels(model, records):
    """Returns the labels of positions as logits."""
    later, _, result, _ = outputs(model, records)
    lost, drawn, won = F.softmax(result, 1).unbind(1)
    expected = (won + drawn / 2).clamp(1e-4, 1 - 1e-4)
    return SCORE_WEIGHT * later + RESULT_WEIGHT * torch.log(expected / (1 - expected))


@torch.no_grad()
def label(options, device):
    records = read(options.records)
    teacher = load(options.teacher, device).eval()
    model = torch.compile(teacher) if device == 'cuda' else teacher
    flags = records[:, 37].numpy()
    is_neighbour = (flags & NEIGHBOUR) != 0
    # Each record's place: that of its position, and behind it those of the position's neighbours.
    numbers = np.arange(len(flags))
    behind = numbers - np.maximum.accumulate(np.where(is_neighbour, 0, numbers))
    if is_neighbour[:1].any():
        raise SystemExit(f'{options.records}: begins with a neighbour')
    if behind.max(initial=0) > options.neighbours:
        raise SystemExit(f'{options.records}: {behind.max()} neighbours of a position, not {options.neighbours}')
    each = 1 + options.neighbours
    places = each * (np.cumsum(~is_neighbour) - 1) + behind
    values = np.full(each * int((~is_neighbour).sum()), NO_LABEL, '<i2')
    wanted = np.flatnonzero((flags & (USED | NEIGHBOUR)) != 0)
    for i in range(0, len(wanted), options.batch):
        some = wanted[i:i + options.batch]
        logits = labels(model, records[torch.from_numpy(some)].to(device))
        values[places[some]] = (K * logits).round().clamp(-30000, 30000).cpu().numpy().astype('<i2')
    values.tofile(options.out)


def fold(conv, norm):
    """Returns the weights and biases of a convolution together with the normalisation behind it."""
    factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return conv.weight * factor[:, None, None, None], norm.bias - norm.running_mean * factor


def largest(activations):
    """Returns the activation of each channel that one in 10,000 exceeds."""
    channels = activations.transpose(0, 1).flatten(1)
    return channels.kthvalue(int(channels.shape[1] * 0.9999), 1).values


def brain_floats(weights):
    return weights.to(torch.bfloat16).view(torch.int16).numpy()


def quantised_conv(conv, norm, highest):
    """Returns the parts of a convolution as `label.cc` reads them, given its inputs' `largest`."""
    weights, biases = fold(conv, norm)
    steps = (highest / 255).clamp(min=float(highest.max()) / 255 * 0.02)
    weights = weights * steps[None, :, None, None]
    factors = weights.abs().amax((1, 2, 3)).clamp(min=1e-9) / 127
    whole = torch.round(weights / factors[:, None, None, None]).to(torch.int8).numpy()
    # Outputs are 4 x 2 x 16, inputs 2 x 16 x 4.
    tiles = whole.reshape(4, 2, 16, 2, 16, 4, 9).transpose(0, 6, 3, 1, 4, 2, 5)
    return [tiles, factors, biases, 1 / steps]


@torch.no_grad()
def quantise(options, _):
    teacher = load(options.teacher, 'cpu').float().eval()
    records = read(options.records)
    some = records[torch.randperm(len(records), generator=torch.Generator().manual_seed(1))[:6000]]
    planes, _, _ = inputs(some)
    weights, biases = fold(teacher.stem, teacher.bs)
    parts = [weights[:, :13].permute(1, 2, 3, 0)]
    # What planes that are the same on all squares add, by the place on the board: at the first line, within, at the last.
    lines = [slice(1, 3), slice(0, 3), slice(0, 2)]
    for ranks in lines:
        for files in lines:
            same = weights[:, 13:, ranks, files].sum((2, 3))
            parts += [biases + same[:, 0], same[:, 1:].T]
    x = F.relu(teacher.bs(teacher.stem(planes.float())))
    for block in teacher.blocks:
        y = F.relu(block.b1(block.c1(x)))
        parts += quantised_conv(block.c1, block.b1, largest(x)) + quantised_conv(block.c2, block.b2, largest(y))
        parts += [block.f1.weight, block.f1.bias, block.f2.weight.T, block.f2.bias]
        x = block.after(x, y)
    weights, biases = fold(teacher.v, teacher.bv)
    parts += [brain_floats(weights).reshape(2, 16, 4, 16, 2).transpose(2, 0, 3, 1, 4), biases]
    weights = teacher.f1.weight.reshape(256, 32, 64).transpose(1, 2)
    parts += [brain_floats(weights).reshape(16, 16, 64, 16, 2).transpose(0, 2, 3, 1, 4), teacher.f1.bias]
    parts += [teacher.f2.weight.T, teacher.f2.bias]
    with open(options.out, 'wb') as out:
        for part in parts:
            out.write(np.ascontiguousarray(part).tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(dest='job', required=True)
    job = jobs.add_parser('train', help='train a teacher')
    job.add_argument('records', nargs='+', help='records that datagen pack wrote')
    job.add_argument('--out', required=True, help='the file for the teacher')
    job.add_argument('--from', dest='start', help='begin with this teacher')
    job.add_argument('--minutes', type=float, default=10, help='how long to train')
    job.add_argument('--rate', type=float, default=1.5e-3, help='the learning rate at the start; it falls along a cosine')
    job.add_argument('--batch', type=int, default=4096, help='positions in a step')
    job.set_defaults(run=train)
    job = jobs.add_parser('label', help='label the positions of one file of games')
    job.add_argument('teacher', help='a trained teacher')
    job.add_argument('records', help='the records of the games')
    job.add_argument('out', help='the file for the labels: GAMES.labels beside GAMES.vf')
    job.add_argument('--neighbours', type=int, default=1, help='the number that datagen pack was given')
    job.add_argument('--batch', type=int, default=8192, help='positions at a time')
    job.set_defaults(run=label)
    job = jobs.add_parser('quantise', help='write a teacher for label.cc, which labels on processors with AMX')
    job.add_argument('teacher', help='a trained teacher')
    job.add_argument('records', help='records to fit the range of activations to')
    job.add_argument('out', help='the file for the quantised teacher')
    job.set_defaults(run=quantise)
    options = parser.parse_args()
    options.run(options, 'cuda' if torch.cuda.is_available() else 'cpu')


if __name__ == '__main__':
    main()
