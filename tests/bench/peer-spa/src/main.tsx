/**
 * Home as a single-page application: React renders it in the browser, supabase-js reads the session and the figures,
 * and each page is a chunk. Texts, styles and pictures are the site's own.
 */
import { createClient, type Session } from '@supabase/supabase-js'
import { createContext, useContext, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, Outlet, RouterProvider, useLocation } from 'react-router-dom'
import type { Totals } from '../../../../app/ledger/totals'
import type { loader } from '../../../../app/routes/home/route'
import { Footer } from '../../../../app/ui/footer'
import { NavigationBar } from '../../../../app/ui/navigation'
import '../../../../app/styles.css'

const supabase = createClient(import.meta.env.VITE_SUPABASE_URL, import.meta.env.VITE_SUPABASE_KEY)

const SignedIn = createContext(false)

function Frame() {
  const [session, setSession] = useState<Session | null>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const { data } = supabase.auth.onAuthStateChange((_, changed) => setSession(changed))
    return () => data.subscription.unsubscribe()
  }, [])
  return (
    <SignedIn.Provider value={session !== null}>
      <Bar path={pathname} />
      <main id="content" className="flex-1">
        <Outlet />
      </main>
      <Footer />
    </SignedIn.Provider>
  )
}

function Bar({ path }: { path: string }) {
  return <NavigationBar path={path} signedIn={useContext(SignedIn)} />
}

let totals: Totals | null = null

/** The loader of Home. `totals` is null at first; readTotals reads the totals and runs this loader again. */
function homeData(): Awaited<ReturnType<typeof loader>> {
  return {
    totals,
    // Home draws its diagram from the totals of the pools, which this page does not read.
    flow: null,
    pools: [],
    reconciliations: null,
    wallets: [],
    token: undefined,
    explorer: 'https://bscscan.com',
    links: [
      { to: 'https://x.com', label: 'Follow us' },
      { to: 'https://t.me', label: 'Join the community' },
      { to: 'https://dexscreener.com/bsc', label: 'See the token chart' },
    ],
  }
}

async function readTotals(): Promise<void> {
  const { data } = await supabase.from('ledger_totals').select('*').single()
  totals = {
    treasury: data.treasury_usd * 100,
    donated: data.donated_usd * 100,
    donatedElsewhere: data.donated_elsewhere_usd * 100,
    dreamsFunded: data.dreams_funded_usd * 100,
    tax: data.tax_usd * 100,
    gifts: data.gifts_usd * 100,
    otherIn: data.other_in_usd * 100,
    returned: data.returned_usd * 100,
    costs: data.costs_usd * 100,
    otherOut: data.other_out_usd * 100,
    transactions: data.transactions_count,
    verified: data.verified_count,
    pending: data.pending_count,
    disputed: data.disputed_count,
    unvalued: data.unvalued_count,
    asOf: new Date(data.as_of),
  }
  await router.revalidate()
}

const page = (load: () => Promise<{ default: React.ComponentType }>) => async () => ({
  Component: (await load()).default,
})
const router = createBrowserRouter([
  {
    element: <Frame />,
    children: [
      { index: true, lazy: page(() => import('../../../../app/routes/home/route')), loader: homeData },
      { path: 'risk', lazy: page(() => import('../../../../app/routes/risk')) },
      { path: 'terms', lazy: page(() => import('../../../../app/routes/terms')) },
      { path: 'privacy', lazy: page(() => import('../../../../app/routes/privacy')) },
    ],
  },
])

void readTotals()
createRoot(document.getElementById('root') as HTMLElement).render(<RouterProvider router={router} />)
