// FIPS 180-4. The worker's entry hashes a short text at most, and an isolate takes longer to compile the package
// that other code uses than to hash.

/** The first 32 bits of the fractional parts of the square roots of the first eight primes. */
const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]

/** The same of the cube roots of the first 64 primes. */
const constants = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]

/** The SHA-256 of a few bytes, without a promise. */
export function sha256(input: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new DataView(new ArrayBuffer(((input.length + 72) >> 6) << 6))
  new Uint8Array(padded.buffer).set(input)
  padded.setUint8(input.length, 0x80)
  padded.setUint32(padded.byteLength - 4, 8 * input.length)
  const hash = Int32Array.from(initial)
  const words = new Int32Array(64)
  for (let at = 0; at < padded.byteLength; at += 64) {
    addBlock(hash, padded, at, words)
  }
  const bytes = new DataView(new ArrayBuffer(32))
  hash.forEach((word, index) => {
    bytes.setInt32(4 * index, word)
  })
  return new Uint8Array(bytes.buffer)
}

function addBlock(hash: Int32Array, padded: DataView, at: number, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let round = 0; round < 64; round++) {
    words[round] = round < 16 ? padded.getInt32(at + 4 * round) : nextWord(words, round)
    const sum = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g))
    const first = (sum + (constants[round] ?? 0) + (words[round] ?? 0)) | 0
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) hash[index] = (hash[index] ?? 0) + value
}

function nextWord(words: Int32Array, round: number): number {
  const [x = 0, y = 0] = [words[round - 15], words[round - 2]]
  const mixed = (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10))
  return mixed + (words[round - 16] ?? 0) + (words[round - 7] ?? 0)
}

/** A word rotated to the right. */
function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
