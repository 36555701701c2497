import { renderSVG } from 'uqr'

/**
 * The QR code of an enrolment's `otpauth:` URI, as a data: URL of about 20 kB. The auth service's own picture
 * is an SVG of more than 300 kB, which is too large for a page or a form.
 */
export function qrCodeUrl(uri: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { ecc: 'M', border: 4, pixelSize: 4 }))}`
}
