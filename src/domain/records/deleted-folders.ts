import sql from 'sql-template-tag'

/** The condition that the file `f` is in no deleted folder. The files of one are removed later, but are gone with it at once. */
export const isInPlace = sql`(f.folder_id is null or not exists (
  select from folders gone where gone.company_id = f.company_id and gone.id = f.folder_id and gone.deleted_at is not null))`
