const shift = 2 * 24 * 3_600_000
const now = Date.now.bind(Date)

globalThis.Date = class extends Date {
  constructor(...args) {
    if (args.length) super(...args)
    else super(now() + shift)
  }

  static now() {
    return now() + shift
  }
}
