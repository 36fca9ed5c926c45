/** Where the files of a project are listed and uploaded to. */
export function filesAddress(company: number, project: string): string {
  return `/admin/v1/companies/${company}/records/projects/${encodeURIComponent(project)}/files`
}

/** Where the bytes of a file are. */
export function downloadAddress(company: number, project: string, file: string | number): string {
  return `${filesAddress(company, project)}/${file}/download`
}
