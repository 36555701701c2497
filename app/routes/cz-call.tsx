import type { MetaFunction } from '@remix-run/cloudflare'
import { pageTitle } from '~/site'

export const meta: MetaFunction = () => [{ title: pageTitle('CZ Call') }]

export default function Page() {
  return (
    <div className="column py-section">
      <h1 className="text-title">CZ Call</h1>
      <p className="mt-4 text-xl text-muted">Donations guided by a public figure's charity statements, paid from the donation wallet, with proof.</p>
    </div>
  )
}
