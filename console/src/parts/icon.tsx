/** Drawn on 24 by 24, one stroke. `mirrored` ones point the other way in Arabic; charts and clockwise arrows do not. */
const PATHS = {
  home: 'M3 12 12 4l9 8M6 10v10h12V10',
  overview: 'M4 18a8 8 0 1 1 16 0M12 18l4-6',
  tasks: 'M4 6h.01M4 12h.01M4 18h.01M9 6h11M9 12h11M9 18h11',
  projects: 'M4 5h6v6H4zM14 5h6v6h-6zM4 15h6v4H4zM14 15h6v4h-6z',
  changes: 'M3 12h4l3 8 4-16 3 8h4',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  keys: 'M14 10a4 4 0 1 0-3.5 3.97L12 15.5h2.5V18H17v2.5h3.5V17l-6.7-6.7',
  requests: 'M4 8h14l-4-4M20 16H6l4 4',
  usage: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  webhooks: 'M10 14 5 19M9 5a4 4 0 0 1 6 3.5c0 2-1 3-2 3.5M14 14h5a2.5 2.5 0 1 1 0 5h-5M7 12a4 4 0 1 0 3 6.5',
  explorer: 'M8 6 2 12l6 6M16 6l6 6-6 6M13 4l-2 16',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2 20c0-4 3-6 7-6s7 2 7 6M16 5.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.5.7 4 2.5 4 5.5',
  calendars: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  folder: 'M3 6h6l2 2h10v11H3z',
  files: 'M6 3h8l5 5v13H6zM14 3v5h5',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6',
  audit: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4',
  timeline: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  notifications: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4',
  companies: 'M4 21V5l8-2v18M12 9l8 2v10M2 21h20M7 8h2M7 12h2M7 16h2M15 14h2M15 17h2',
  health: 'M12 20S4 15 4 9.5A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.5C20 15 12 20 12 20z',
  figures: 'M3 20h18M4 16l5-6 4 3 7-9',
  jobs: 'M12 3v4M12 17v4M3 12h4M17 12h4M5.6 5.6l2.9 2.9M15.5 15.5l2.9 2.9M5.6 18.4l2.9-2.9M15.5 8.5l2.9-2.9',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M5 5l14 14M19 5 5 19',
  next: 'M9 5l7 7-7 7',
  previous: 'M15 5l-7 7 7 7',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
  check: 'M4 12l5 5L20 6',
  warning: 'M12 3 2 20h20zM12 9v5M12 17h.01',
  plus: 'M12 4v16M4 12h16',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4.5 3.5-7 8-7s8 2.5 8 7',
  replay: 'M4 12a8 8 0 1 0 3-6.2M4 4v5h5',
  keyboard: 'M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M8 14.5h8',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  attach: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.6 1.6 0 0 1-2.4-2.4L14.5 7',
  archive: 'M3 5h18v4H3zM5 9v11h14V9M10 13h4',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  upload: 'M12 16V5M7 9l5-5 5 5M4 20h16',
} as const

export type IconName = keyof typeof PATHS
const MIRRORED = new Set<IconName>(['next', 'previous', 'leave', 'tasks', 'search'])

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={MIRRORED.has(name) ? 'icon mirrored' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
