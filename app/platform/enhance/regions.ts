/**
 * The regions of a live page (`data-live`) as the server rendered them, by id. This module runs before the
 * scripts that change the page, so that a region can be compared with the region of a newer page.
 */
export const rendered = new Map<string, string>()

for (const region of document.querySelectorAll('[data-live]')) rendered.set(region.id, region.outerHTML)
