import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { PageHandle } from '~/platform/rendering/handle'
import { brand } from '~/platform/site'

export const handle: PageHandle = { cached: [] }

/** What the site is, and where its data and proofs are, in plain text for programs that read it. English only. */
export function loader({ context }: LoaderFunctionArgs) {
  const site = context.config.SITE_URL
  const page = (path: string, words: string) => `- [${words}](${site}${path})`
  const text = `# ${brand}

> The website of a community charity token on BNB Smart Chain. It is run by its community, and is not affiliated with Binance. Every payment is in a public ledger that anyone can check against the blockchain.

Give only at ${site}/donate. The site never writes first, and never asks for keys. Trust no address of a wallet from another place.

## Pages

${page('/voting', 'Impact Pools: what each was given, spent and bought')}
${page('/transparency', 'All payments, with totals')}
${page('/transparency/orders', 'Payments to come, and those that failed or were stopped')}
${page('/transparency/mistakes', 'What went wrong, since when, and what was done')}
${page('/cz-call', 'Statements, and the payments that answered them')}
${page('/about', 'Who runs it, and who holds the keys')}
${page('/risk', 'Risks')}

## Data

${page('/transparency/api', 'The files and feeds, described')}
${page('/transparency.json', 'Payments as JSON')}
${page('/transparency.csv', 'Payments as CSV')}
${page('/transparency/orders.json', 'Orders of payments as JSON')}

## Proofs

${page('/transparency/verify', 'What is signed, and how to check it')}
${page('/ledger/format.md', 'The format of the log')}
${page('/transparency/log/checkpoint', 'The newest signed checkpoint')}
${page('/verify-ledger.mjs', 'A program that checks the whole log')}
`
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
