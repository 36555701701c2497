/**
 * Hashes new passwords at the lowest cost of bcrypt. At the cost of the backend (10), hashing took an eighth
 * of the processor time of all suites. `npm run test:deep` measures response times, so it keeps the real
 * cost.
 */
import bcrypt from 'bcryptjs'

const lowestCost = 4

if (process.env.DEEP !== '1') {
  const { hash } = bcrypt
  bcrypt.hash = ((password: string) => hash(password, lowestCost)) as typeof hash
}
