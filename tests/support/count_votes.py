"""
Counts the votes of public/ledger/vote-vectors.json again. It was written from public/ledger/format.md, and shares no code
with the site or the verifier. Prints how many cases agree. Usage: count_votes.py VECTORS
"""
import hashlib, json, re, sys
from datetime import datetime, timezone
from functools import lru_cache

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
     0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)

def keccak256(message):
    rate = 136
    padded = bytearray(message) + bytearray(rate - len(message) % rate)
    padded[len(message)] ^= 1
    padded[-1] ^= 0x80
    rol = lambda v, n: ((v << n % 64) | (v >> (64 - n % 64))) & (2**64 - 1)
    a = [[0] * 5 for _ in range(5)]
    for start in range(0, len(padded), rate):
        for i in range(rate // 8):
            a[i % 5][i // 5] ^= int.from_bytes(padded[start + 8 * i:start + 8 * i + 8], 'little')
        lfsr = 1
        for _ in range(24):
            c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
            d = [c[(x + 4) % 5] ^ rol(c[(x + 1) % 5], 1) for x in range(5)]
            a = [[a[x][y] ^ d[x] for y in range(5)] for x in range(5)]
            x, y, current = 1, 0, a[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                current, a[x][y] = a[x][y], rol(current, (t + 1) * (t + 2) // 2)
            for y in range(5):
                row = [a[x][y] for x in range(5)]
                for x in range(5):
                    a[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
            for j in range(7):
                lfsr = ((lfsr << 1) ^ ((lfsr >> 7) * 0x71)) % 256
                if lfsr & 2:
                    a[0][0] ^= 1 << ((1 << j) - 1)
    return b''.join(a[i % 5][i // 5].to_bytes(8, 'little') for i in range(4))

def add(p, q):
    if p is None: return q
    if q is None: return p
    if p[0] == q[0]:
        if (p[1] + q[1]) % P == 0: return None
        s = 3 * p[0] * p[0] * pow(2 * p[1], -1, P)
    else:
        s = (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (s * s - p[0] - q[0]) % P
    return x, (s * (p[0] - x) - p[1]) % P

def times(k, p):
    r = None
    while k:
        if k & 1: r = add(r, p)
        p, k = add(p, p), k >> 1
    return r

def signer(text, signature):
    if not isinstance(signature, str) or not re.fullmatch(r'0x[0-9a-fA-F]{130}', signature): return None
    raw = bytes.fromhex(signature[2:])
    r, s, v = int.from_bytes(raw[:32], 'big'), int.from_bytes(raw[32:64], 'big'), raw[64]
    if v not in (0, 1, 27, 28) or not 0 < r < N or not 0 < s <= N // 2: return None
    y2 = (pow(r, 3, P) + 7) % P
    y = pow(y2, (P + 1) // 4, P)
    if y * y % P != y2: return None
    if y % 2 != v % 27 % 2: y = P - y
    body = text.encode()
    e = int.from_bytes(keccak256(b'\x19Ethereum Signed Message:\n%d' % len(body) + body), 'big')
    i = pow(r, -1, N)
    q = add(times(-e * i % N, G), times(s * i % N, (r, y)))
    return None if q is None else '0x' + keccak256(q[0].to_bytes(32, 'big') + q[1].to_bytes(32, 'big'))[12:].hex()

def checksum(address):
    digits = address[2:]
    h = keccak256(digits.encode()).hex()
    return '0x' + ''.join(c.upper() if int(h[i], 16) > 7 else c for i, c in enumerate(digits))

def text_of(goal, choice, wallet, time, vote, version):
    chosen = f'Split: {choice}' if ' ' in choice else f'Goal: {goal}\nChoice: {choice}'
    heading = 'Ballot of token holders' if version >= 3 else 'Goodblock ballot'
    return (f'{heading}\n\n{chosen}\nWallet: {checksum(wallet)}\nTime: {time}\nVote: {vote}\n\n'
            'This is free and moves no money. Wallet, choice and weight become public for ever.')

def at(text):
    if not isinstance(text, str) or not re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z', text): raise Wrong()
    return datetime.fromisoformat(text[:-1]).replace(tzinfo=timezone.utc).timestamp()

class Wrong(Exception): pass
def need(right):
    if not right: raise Wrong()

leaf = lambda line: hashlib.sha256(b'\0' + line.encode()).hexdigest()
amount = lambda t: isinstance(t, str) and re.fullmatch(r'0|[1-9]\d{0,77}', t) is not None
SIX = 'education humanitarian-relief animal-welfare donation-wallet goals reserve'.split()
ALWAYS = ['0x' + '0' * 40, '0x' + '0' * 36 + 'dead']
recovered = lru_cache(None)(signer)

def shares_of(parts, weight, version, most):
    if weight == 0: return None
    out = [p * 10 // weight for p in parts]
    left = 1000 - sum(out)
    if version >= 2:
        for i in sorted(range(len(parts)), key=lambda i: (-(parts[i] * 10 % weight), i))[:left]: out[i] += 1
    else:
        for i in sorted(range(len(parts)), key=lambda i: (-parts[i], i)):
            more = min(1000 - sum(out), most[i] * 10 - out[i])
            out[i] += more
    return out

class Counter:
    def __init__(self, whole):
        self.whole, self.goals, self.votes, self.split, self.waiting = whole, {}, [], None, False
        self.ours, self.redraws = {}, {}
    def check(self, line):
        f = json.loads(line)
        kind, goal = f['kind'], f.get('goal')
        version = f.get('rules', 1)
        if self.whole and self.waiting:
            need(f.get('act') == 'split-vote' and f['made']['id'] == self.split['id'] and f['by'] and f['second'])
        self.waiting = False
        if kind == 'payment-terms': self.ours[f['chain_id']] = [w['address'] for w in f['wallets']]
        if kind == 'act' and f['act'] == 'redraw': self.redraws[f['subject']] = self.redraws.get(f['subject'], 0) + 1
        if kind not in ('goal', 'split-vote', 'draw', 'vote', 'void', 'ballot', 'result', 'split-result'): return
        g = self.goals.setdefault(goal, dict(leaf=None, draw=None, vote=None, attempts=0, voids=0, limits=None))
        if kind == 'goal':
            if f['revision'] == 0: g.update(leaf=leaf(line), ends=f['ends_at'])
            return
        if kind == 'split-vote':
            least, most = f['least'], f['most']
            names = f['names'] if version >= 3 else SIX
            need(len(set(names)) == len(names) == len(least) == len(most) <= 50 and names[-3:] == SIX[-3:])
            need(all(re.fullmatch('[a-z][a-z-]{0,49}', n) for n in names))
            need(goal == f"split-{f['id']}" and sum(least) <= 100 <= sum(most) and all(a <= b for a, b in zip(least, most)))
            need(7 * 86400 <= at(f['ends_at']) - at(f['recorded_at']) <= 14 * 86400)
            need(not self.split or at(f['recorded_at']) - at(self.split['recorded_at']) >= 30 * 86400)
            g.update(leaf=leaf(line), ends=f['ends_at'], limits=(least, most))
            self.split, self.waiting = f, True
            return
        need(g['leaf'])
        if kind == 'draw':
            need(not g['draw'] and f['seed_block'] - f['start_block'] >= 2)
            if version >= 2:
                g['attempts'] += 1
                x = f['excluded']
                need(f['attempt'] == g['attempts'] and f['window_seconds'] >= 86400 and x == sorted(set(x)))
                need(all(a in x for a in ALWAYS + [f['token_address']] + self.ours.get(f['chain_id'], [])))
                need(not self.whole or g['voids'] < 3 * (1 + self.redraws.get(goal, 0)))
            g['draw'] = f
            return
        if kind == 'vote':
            d = g['draw']
            need(d and not g['vote'] and f['goal_leaf'] == g['leaf'] and f['closes_at'] == g['ends'])
            need(f['chain_id'] == d['chain_id'] and f['seed']['number'] == d['seed_block'])
            w = min(1344000, (d['seed_block'] - d['start_block']) // 2)
            need(f['block']['number'] == d['seed_block'] - w - int(f['seed']['hash'], 16) % w)
            x = [e['address'] for e in f['excluded']]
            need(x == sorted(set(x)) and all(a in x for a in ALWAYS + [f['token_address']]))
            if d.get('rules', 1) >= 2:
                need((d['token_address'], d['excluded'], d['quorum_percent']) == (f['token_address'], x, f['quorum_percent']))
            need(all(amount(f[n]) for n in ('supply', 'eligible', 'quorum', 'least_weight')))
            eligible = int(f['supply']) - sum(int(e['balance']) for e in f['excluded'])
            whole, _, part = f['quorum_percent'].partition('.')
            need(f['eligible'] == str(eligible) and f['quorum'] == str((eligible * int(whole + part.ljust(2, '0')) + 9999) // 10000))
            need(f['least_weight'] == str(eligible // 1000000))
            g['vote'] = dict(f=f, leaf=leaf(line), version=version, ballots=0, standing={}, weights={}, seen=set(), end=None, limits=g['limits'])
            self.votes.append(g['vote'])
            return
        v = g['vote']
        if kind == 'void' and g['draw'] and not v and version >= 2:
            need(f['block']['number'] == g['draw']['seed_block'])
            g.update(draw=None, voids=g['voids'] + 1)
            self.votes.append(dict(end='void', ballots=0))
            return
        need(v and not v['end'])
        if kind == 'void':
            named = [b for b in (v['f']['seed'], v['f']['block']) if b['number'] == f['block']['number']]
            need(named and named[0]['hash'] != f['block']['hash'])
            v['end'] = 'void'
            g.update(draw=None, vote=None, voids=g['voids'] + 1)
        elif kind == 'ballot': self.ballot(v, f, goal)
        else: self.result(v, f, kind)
    def ballot(self, v, f, goal):
        wallet, choice, time, weight = f['wallet'], f['choice'], f['time'], f['weight']
        need(re.fullmatch('0x[0-9a-f]{40}', wallet) and amount(weight) and '.' not in time)
        if v['limits']:
            need(all(re.fullmatch(r'0|[1-9]\d?|100', p) for p in choice.split(' ')))
            parts = [int(p) for p in choice.split(' ')]
            need(len(parts) == len(v['limits'][0]) and sum(parts) == 100 and all(a <= p <= b for a, p, b in zip(v['limits'][0], parts, v['limits'][1])))
        else: need(choice in ('support', 'against'))
        need(f['number'] == v['ballots'] + 1)
        need(int(at(v['f']['recorded_at'])) <= at(time) <= min(at(f['recorded_at']), at(v['f']['closes_at'])) + 120)
        text = text_of(goal, choice, wallet, time, v['leaf'], v['version'])
        digest = hashlib.sha256(text.encode()).hexdigest()
        need(recovered(text, f['signature']) == wallet and digest not in v['seen'])
        need(wallet not in [e['address'] for e in v['f']['excluded']])
        w = int(weight)
        need(w > 0 and w >= int(v['f']['least_weight']) and v['weights'].setdefault(wallet, w) == w)
        need(sum(v['weights'].values()) <= int(v['f']['eligible']))
        v['seen'].add(digest)
        v['ballots'] += 1
        other = v['standing'].get(wallet)
        if not other or time > other[0] or (time == other[0] and digest < other[1]): v['standing'][wallet] = (time, digest, choice, w)
    def result(self, v, f, kind):
        need((kind == 'split-result') == bool(v['limits']) and at(f['recorded_at']) >= at(v['f']['closes_at']))
        need(f['ballots'] == v['ballots'] and f['eligible'] == v['f']['eligible'] and f['quorum'] == v['f']['quorum'])
        quorum, all_ = int(f['quorum']), list(v['standing'].values())
        if v['limits']:
            weight = sum(b[3] for b in all_)
            parts = [sum(b[3] * int(b[2].split(' ')[i]) for b in all_) for i in range(len(v['limits'][0]))]
            need((f['weight'], f['wallets']) == (str(weight), len(all_)))
            need(f['shares'] == shares_of(parts, weight, v['version'], v['limits'][1]))
            need(f['valid'] == (weight >= quorum and weight > 0))
            v['end'] = 'valid' if f['valid'] else 'not valid'
        else:
            side = lambda c: [b[3] for b in all_ if b[2] == c]
            yes, no = side('support'), side('against')
            need((f['support'], f['support_wallets'], f['against'], f['against_wallets']) == (str(sum(yes)), len(yes), str(sum(no)), len(no)))
            need(f['won'] == (sum(yes) >= quorum and sum(yes) > sum(no)))
            v['end'] = 'won' if f['won'] else 'not won'

vectors = json.load(open(sys.argv[1]))
bad, done = [], 0
def expect(what, got, wanted):
    global done
    done += 1
    if got != wanted: bad.append((what, got, wanted))
for c in vectors['signature_cases']:
    expect(c['what'], signer(c['text'], c['signature']), c['signer'])
for c in vectors['share_cases']:
    expect(c['what'], shares_of([int(p) for p in c['parts']], int(c['weight']), 2, None), c['shares'])
def run(lines):
    counter = Counter(True)
    for i, line in enumerate(lines):
        try: counter.check(line)
        except (Wrong, KeyError, TypeError, ValueError, AttributeError): return 1, i
    return 0, None
for name in ('log', 'split_log', 'second_log', 'third_log'):
    for c in vectors[f'{name}_cases']:
        lines = list(vectors[name])
        lines[c['from']:c['from'] + c['remove']] = c['insert']
        status, index = run(lines)
        # An act that does not follow is found at the next entry.
        named = 0 if index == 1 and c.get('entry') == 0 else index
        expect(f"{name}: {c['what']}", (status, named), (c['exit'], c.get('entry')))
for c in vectors['file_cases']:
    lines = [json.dumps({'index': i}, separators=(',', ':'))[:-1] + ',"entry":' + l + '}' for i, l in enumerate(vectors['log'])]
    lines[c['from']:c['from'] + c['remove']] = c['insert']
    counter, last, unsigned, status = Counter(False), -1, 0, 0
    try:
        for line in lines:
            index = json.loads(line)['index']
            need(index > last)
            last = index
            if index >= len(vectors['log']): unsigned += 1; continue
            entry = line[line.index('"entry":') + 8:-1]
            need(leaf(entry) == leaf(vectors['log'][index]))
            counter.check(entry)
    except Wrong: status = 1
    if status: expect(c['what'], 1, c['exit']); continue
    v = counter.votes[-1]
    won = {'won': True, 'not won': False}.get(v['end'])
    whole = unsigned == 0 and won is not None
    expect(c['what'], (0, v['ballots'], unsigned, won, whole), (c['exit'], c['ballots'], c['unsigned'], c['won'], c['whole']))
for one in bad: print('differs:', *one)
print(f'{done - len(bad)} of {done} cases agree')
sys.exit(1 if bad else 0)
