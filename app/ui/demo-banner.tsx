/** Marks every page of `npm run demo` as a demonstration. Its attribute stops the script that sends payments. */
export function DemoBanner() {
  return (
    <aside
      aria-label="Demonstration"
      data-demo=""
      className="bg-gold px-4 py-2 text-center font-semibold text-on-gold"
    >
      Demo: all figures, names, payments and wallets are made up. Don't send money to any address here.
    </aside>
  )
}
