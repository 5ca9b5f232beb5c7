/** The colors and the type of charts: an SVG follows the reader's light or dark theme. */

export const CHART_THEME = `
  svg { font: 12px system-ui, sans-serif; --paper: #ffffff; --ink: #1f2328; --soft: #59636e; --grid: #d1d9e0; --ours: #0969da }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #0d1117; --ink: #f0f6fc; --soft: #9198a1; --grid: #3d444d; --ours: #4493f8 }
  }
  .paper { fill: var(--paper) } text { fill: var(--soft) } .title { fill: var(--ink); font-weight: 600 }`
