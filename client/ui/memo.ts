/** Components that are drawn again only when a property has changed. */

import { Component, type ComponentType, createElement, type VNode } from 'preact'

/** Compares the properties one by one, by identity. */
export function memo<Props extends object>(Shown: ComponentType<Props>): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = Object.keys(next) as (keyof Props)[]
      return names.some((name) => next[name] !== this.props[name])
    }

    override render(): VNode<Props> {
      return createElement(Shown, this.props)
    }
  }
}
