/**
 * The script of the page: asks for the modules, which are named in its own element. The page names no module in a tag of
 * its own: Chromium's preload scanner would ask for it ahead of the parser, and does not share with the page what the
 * service worker answered it, so the file would be fetched twice.
 */

const { early = '', main = '' } = document.currentScript?.dataset ?? {}
document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: main }))
void import(early)
