/** Marks every page of `npm run demo` as a demonstration. */
export function DemoBanner() {
  return (
    <aside aria-label="Demonstration" className="bg-gold px-4 py-2 text-center font-semibold text-on-gold">
      Demonstration data: every figure, name and transaction on this page is made up.
    </aside>
  )
}
