/*
  What Diwan looks for in every file. A rule that matches makes the file infected; `finding` is the name it is reported by.

  Besides `filename`, `filepath` and `extension` (lower case, without the dot), rules here and the operator's may ask for `part`:
  "file" is the upload itself or a member of an archive, "view" a PDF with its object streams unpacked behind it, "stream" a
  stream of a compound file (.doc, .xls, vbaProject.bin), "macro" the unpacked source of a VBA module, "object" what an RTF embeds.
*/

/* The agreed harmless test file. Written as hexadecimal, so that no scanner takes these rules for it. */
rule eicar_test_file
{
  meta:
    finding = "Eicar-Test-File"
  strings:
    $eicar = {
      58 35 4F 21 50 25 40 41 50 5B 34 5C 50 5A 58 35 34 28 50 5E 29 37 43 43 29 37 7D 24 45 49 43 41
      52 2D 53 54 41 4E 44 41 52 44 2D 41 4E 54 49 56 49 52 55 53 2D 54 45 53 54 2D 46 49 4C 45 21 24
      48 2B 48 2A
    }
  condition:
    $eicar
}

rule windows_shortcut
{
  meta:
    finding = "Launcher.Shortcut"
  condition:
    // Header size, then the class identifier that every .lnk carries: a shortcut runs what it points at, whatever its name.
    uint32(0) == 0x0000004C and uint32(4) == 0x00021401 and uint32(12) == 0x000000C0 and uint32(16) == 0x46000000
}

rule html_application
{
  meta:
    finding = "Launcher.Hta"
  strings:
    $application = "<hta:application" nocase
    $script = "<script" nocase
  condition:
    ($application and $script) or (extension == "hta" and $script)
}

/* A scan that cannot look inside must not say clean, and these are packed in ways that Node.js cannot unpack. */
rule archive_of_unsupported_kind
{
  meta:
    finding = "Archive.Unsupported"
  strings:
    $seven_zip = { 37 7A BC AF 27 1C }
    $rar = { 52 61 72 21 1A 07 }
    $xz = { FD 37 7A 58 5A 00 }
    $bzip2 = /BZh[1-9](1AY&SY|\x17rE8P\x90)/
    $zstd = { (22 | 23 | 24 | 25 | 26 | 27 | 28) B5 2F FD }
    $lzip = { 4C 5A 49 50 (00 | 01) }
    $compress = { 1F (9D | A0) }
    $cabinet = { 4D 53 43 46 00 00 00 00 }
    $arj = { 60 EA ?? ?? }
    $ace = "**ACE**"
    $lha = /-l[hz][0-9ds]-/
    $iso = "CD001"
    $xar = { 78 61 72 21 00 1C }
  condition:
    part != "macro" and (
      $seven_zip at 0 or $rar at 0 or $xz at 0 or $bzip2 at 0 or $zstd at 0 or $lzip at 0 or $cabinet at 0 or $xar at 0
      or $ace at 7 or $lha at 2 or $iso at 0x8001
      or ($compress at 0 and extension matches /^(z|taz)$/) or ($arj at 0 and extension == "arj")
    )
}
