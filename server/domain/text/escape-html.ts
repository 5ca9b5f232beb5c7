/** Escapes texts for HTML. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const CHARACTERS = new Map(Object.entries(ENTITIES).map(([character, entity]) => [entity, character]))

/** Escapes a text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string)
}

/** Reverses `escapeHtml`. */
export function unescapeHtml(html: string): string {
  return html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS.get(entity) as string)
}
