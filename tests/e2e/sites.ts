import { startSiteWithBackend } from '../site.ts'

/** Where the sites of this run are, for the tests' own processes. */
export interface Sites {
  empty: string
  confirming: string
  confirmingMail: string
  demo: string
  backendUrl: string
  publishableKey: string
  secretKey: string
}

/** Starts the sites that the browser tests share: an empty one, one that confirms e-mails, the demonstration. */
export default async function startSites() {
  const [empty, confirming, demo] = await Promise.all([
    startSiteWithBackend(),
    startSiteWithBackend({ confirmations: true }),
    startSiteWithBackend({ demo: true }),
  ])
  const sites: Sites = {
    empty: empty.url,
    confirming: confirming.url,
    confirmingMail: confirming.backend.mailUrl,
    demo: demo.url,
    backendUrl: empty.backend.url,
    publishableKey: empty.backend.publishableKey,
    secretKey: empty.backend.secretKey,
  }
  process.env.SITES = JSON.stringify(sites)
  return () => Promise.all([empty, confirming, demo].map((site) => site.close()))
}
