/**
 * Hashes new passwords at the lowest bcrypt cost, and uses this cost for comparisons with the one hash in the
 * backend's code. At the backend's cost (10), hashing took an eighth of the processor time of all suites.
 * `npm run test:deep` measures response times, so it keeps the real cost.
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
