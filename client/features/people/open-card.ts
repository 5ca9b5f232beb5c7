/** The card of a person that is open. */
export interface OpenCard {
  readonly userId: number
  /** The element that was clicked: the card opens beside it. */
  readonly anchor: HTMLElement
}
