/** A generator of numbers from 0 to 1, the same for the same seed. */
export function drawFrom(seed: number): () => number {
  let next = seed
  return () => {
    next = (Math.imul(next, 1664525) + 1013904223) >>> 0
    return next / 2 ** 32
  }
}
