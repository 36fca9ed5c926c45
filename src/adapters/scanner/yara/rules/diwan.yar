/*
  What Diwan looks for in every file. A rule that matches makes the file infected; `finding` is the name it is reported by.

  A rule with `name` counts only if that expression fits the file's name (case does not matter), and one with `part` only in
  that part of a file: "file" is the upload itself or a member of an archive, "view" a PDF with its object streams unpacked
  behind it, "stream" a stream of a compound file (.doc, .xls, vbaProject.bin), "macro" the unpacked source of its VBA modules,
  "object" what an RTF embeds. They are not variables in the condition because the engine takes 10 ms to be told each one.

  Many files are scanned at once, one behind the other, each behind the mark \xFFSTART\xFF. So a rule says of the beginning of a
  file what follows the mark, and must never require that something is absent.
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
  strings:
    // Header size, then the class identifier that every .lnk carries: a shortcut runs what it points at, whatever its name.
    $shortcut = /\xFFSTART\xFFL\x00\x00\x00\x01\x14\x02\x00.{4}\xC0\x00\x00\x00\x00\x00\x00F/s
  condition:
    $shortcut
}

rule html_application
{
  meta:
    finding = "Launcher.Hta"
  strings:
    $application = "<hta:application" nocase
    $script = "<script" nocase
  condition:
    all of them
}

rule script_named_as_html_application
{
  meta:
    finding = "Launcher.Hta"
    name = "\\.hta$"
  strings:
    $script = "<script" nocase
  condition:
    $script
}
