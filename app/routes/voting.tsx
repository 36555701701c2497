import type { MetaFunction } from '@remix-run/cloudflare'
import { pageTitle } from '~/site'

export const meta: MetaFunction = () => [{ title: pageTitle('Impact Pools') }]

export default function Page() {
  return (
    <div className="column py-section">
      <h1 className="text-title">Impact Pools</h1>
      <p className="mt-4 text-xl text-muted">Permanent global donation pools funded regularly from treasury.</p>
    </div>
  )
}
