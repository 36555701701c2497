import type { MetaFunction } from '@remix-run/cloudflare'
import { pageTitle } from '~/site'

export const meta: MetaFunction = () => [{ title: pageTitle('Transparency Dashboard') }]

export default function Page() {
  return (
    <div className="column py-section">
      <h1 className="text-title">Transparency Dashboard</h1>
      <p className="mt-4 text-xl text-muted">Every transaction. Every decision. Fully transparent.</p>
    </div>
  )
}
