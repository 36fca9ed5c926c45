import type { ComponentChildren } from 'preact'

export interface Column<T> {
  /** The column heading; on a phone it precedes the value. */
  title: string
  show: (row: T) => ComponentChildren
  /** Figures are aligned under each other. */
  figures?: boolean
  /** A word or two, which stay on one line. */
  short?: boolean
  /** A sentence or more, which needs room. */
  long?: boolean
  /** What names the row. */
  main?: boolean
  /** Buttons: no heading is shown, only read out. */
  actions?: boolean
}

interface TableProps<T> {
  label: string
  columns: Column<T>[]
  rows: T[]
  keyOf: (row: T) => string | number
}

/** A table that becomes a list of cards where it is narrow. */
export function Table<T>({ label, columns, rows, keyOf }: TableProps<T>) {
  return (
    <div class="table-frame">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, figures, actions }) => (
              <th key={title} scope="col" class={figures ? 'figures' : undefined}>
                {actions ? <span class="read-out">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, show, figures, short, long, main, actions }) => (
                <td
                  key={title}
                  data-title={main || actions ? undefined : title}
                  class={
                    [
                      figures && 'figures',
                      short && 'short-cell',
                      long && 'long-cell',
                      main && 'main-cell',
                      actions && 'action-cell',
                    ]
                      .filter(Boolean)
                      .join(' ') || undefined
                  }
                >
                  {/* One thing for the grid of a card, however many stand in it. */}
                  <div>{show(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Names and values under each other. */
export function Facts({ of }: { of: [label: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {of.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
