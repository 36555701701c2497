/** Marks every page of `npm run demo` as a demonstration. */
export function DemoBanner() {
  return (
    <aside aria-label="Demonstration" className="bg-gold px-4 py-2 text-center font-semibold text-on-gold">
      Demo: all figures, names and payments are made up.
    </aside>
  )
}
