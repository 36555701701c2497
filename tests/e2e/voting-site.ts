import { addGoal, openVariables } from '../support/goals.ts'
import { startSite, warmUp } from '../support/site.ts'
import { startTemporary } from '../support/temporary-backend.ts'
import { openTestVote } from '../support/votes.ts'

/** A site with one open vote. */
export async function startVotingSite() {
  const backend = await startTemporary()
  await warmUp(backend)
  const site = await startSite(backend, {
    ...openVariables,
    ...{ SUPABASE_SECRET_KEY: backend.secretKey, PAGE_CACHE: 'off', TOKEN_ADDRESS: `0x${'c'.repeat(40)}` },
    CHAIN_RPC_URLS: 'http://127.0.0.1:9 http://127.0.0.1:8',
  })
  const { slug } = await addGoal(backend)
  await openTestVote(backend, slug)
  return { backend, url: site.url, slug, close: () => Promise.all([site.close(), backend.close()]) }
}
