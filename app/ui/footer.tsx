import { brand, copyrightYear, navigation, smallPrint } from '../site'

/** The navigation, the legal pages and the disclaimer. */
export function Footer() {
  return (
    <footer className="mt-section border-t border-hairline bg-panel">
      <div className="column grid gap-x-16 gap-y-6 py-8 md:grid-cols-[1fr_auto_auto] md:gap-y-10 md:py-12">
        <div className="max-w-[50ch]">
          <p className="flex items-center gap-2.5 font-display text-lg font-bold">
            <img src="/drawings/mark.svg" alt="" width="28" height="28" loading="lazy" />
            {brand}
          </p>
          <p className="mt-3 text-muted">
            {brand} is a community project. It is not officially affiliated with, endorsed by or sponsored by
            Binance or any person named on this site.
          </p>
        </div>
        <FooterLinks label="Footer" links={navigation} />
        <FooterLinks label="Legal and contact" links={smallPrint} />
        <p className="border-t border-hairline pt-4 text-sm md:pt-6 text-muted md:col-span-3">
          © {copyrightYear} {brand}. All rights reserved. Nothing on this site is financial advice.
        </p>
      </div>
    </footer>
  )
}

function FooterLinks({ label, links }: { label: string; links: readonly { to: string; label: string }[] }) {
  return (
    <nav aria-label={label}>
      <ul className="grid grid-cols-2 gap-x-8 md:grid-cols-1">
        {links.map(({ to, label }) => (
          <li key={to}>
            <a href={to} className="inline-flex min-h-9 items-center hover:underline">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
