/** What people call the sites they link to. A subdomain belongs to its domain. */
const SOURCES: Record<string, string> = {
  'drive.google.com': 'Google Drive',
  'docs.google.com': 'Google Docs',
  'sheets.google.com': 'Google Sheets',
  'slides.google.com': 'Google Slides',
  'dropbox.com': 'Dropbox',
  'onedrive.live.com': 'OneDrive',
  '1drv.ms': 'OneDrive',
  'sharepoint.com': 'SharePoint',
  'figma.com': 'Figma',
  'notion.so': 'Notion',
  'notion.site': 'Notion',
  'box.com': 'Box',
  'github.com': 'GitHub',
  'gitlab.com': 'GitLab',
  'miro.com': 'Miro',
  'canva.com': 'Canva',
  'airtable.com': 'Airtable',
  'trello.com': 'Trello',
  'youtube.com': 'YouTube',
  'youtu.be': 'YouTube',
  'vimeo.com': 'Vimeo',
  'loom.com': 'Loom',
  'wetransfer.com': 'WeTransfer',
  'icloud.com': 'iCloud',
}

/** The display name of a link's source: a known service, otherwise the host. */
export function linkSource(url: string): string {
  const { hostname } = new URL(url)
  for (let domain = hostname; domain.includes('.'); domain = domain.slice(domain.indexOf('.') + 1)) {
    const source = SOURCES[domain]
    if (source) return source
  }
  return hostname.replace(/^www\./, '')
}
