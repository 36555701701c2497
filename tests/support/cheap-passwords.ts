/**
 * Hashes new passwords at the lowest cost of bcrypt, and compares passwords with the one hash in the code of
 * the backend at this cost too. At the cost of the backend (10), this took an eighth of the processor time of
 * all suites. `npm run test:deep` measures response times, so it keeps the real cost.
 */
import bcrypt from 'bcryptjs'
import { demoMember } from '../../supabase/embedded/demo.ts'
import { dummyHash } from '../../supabase/embedded/password-timing.ts'

const lowestCost = 4

if (process.env.DEEP !== '1') {
  const { hash, compare } = bcrypt
  const cheapHash = bcrypt.hashSync(demoMember.password, lowestCost)
  bcrypt.hash = ((password: string) => hash(password, lowestCost)) as typeof hash
  bcrypt.compare = ((password: string, known: string) =>
    compare(password, known === dummyHash ? cheapHash : known)) as typeof compare
}
