import type { QrCode } from './qr-code.server'

/** A QR code, dark on light in both themes: scanners need this contrast and a light quiet zone. */
export function QrCodePicture({ code: { size, path }, label }: { code: QrCode; label: string }) {
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className="h-auto w-56 max-w-full rounded-block forced-color-adjust-none"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
