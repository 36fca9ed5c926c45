/* Office documents that run something when they are opened. A macro that waits for its user is not reported. */

rule office_macro_that_runs_by_itself
{
  meta:
    finding = "Office.AutoMacro"
    part = "macro"
  strings:
    $auto = /Sub[ \t_\r\n]{1,16}(Auto_?(Open|Close|Exec|Exit|New)|Document_?(Open|Close|New|BeforeClose|Change)|Workbook_(Open|Activate|Close|BeforeClose)|Presentation_?Open|SlideShow_?Begin|NewDocument)[ \t]{0,16}\(/ nocase
  condition:
    $auto
}

/* The names that compiled code uses. They stay when the readable source was taken out to mislead scanners. */
rule office_compiled_macro_that_runs_by_itself
{
  meta:
    finding = "Office.AutoMacro"
    part = "stream"
    name = "^_VBA_PROJECT$"
  strings:
    $auto = /(Auto_?(Open|Close|Exec)|Document_(Open|Close|New)|Workbook_(Open|Activate|BeforeClose))/ fullword
  condition:
    $auto
}

/* .docx promises a document without macros. */
rule office_macro_under_a_name_without_macros
{
  meta:
    finding = "Office.HiddenMacro"
    name = "\\.(docx|dotx|xlsx|xltx|pptx|potx|ppsx)$"
  strings:
    $zip = "\xFFSTART\xFFPK\x03\x04"
    $project = "vbaProject.bin"
    $types = "[Content_Types].xml"
  condition:
    all of them
}

rule office_excel_4_macro_sheet
{
  meta:
    finding = "Office.ExcelMacroSheet"
  strings:
    $zip = "\xFFSTART\xFFPK\x03\x04"
    $part = "xl/macrosheets/" nocase
  condition:
    all of them
}

rule office_excel_4_macro_sheet_in_a_compound_file
{
  meta:
    finding = "Office.ExcelMacroSheet"
    part = "stream"
    name = "^(workbook|book)$"
  strings:
    $workbook = "\xFFSTART\xFF\x09\x08"
    // BOUNDSHEET: length, offset, visible or hidden, and 1 for a macro sheet.
    $sheet = { 85 00 ?? 00 ?? ?? ?? ?? (00 | 01 | 02) 01 }
  condition:
    all of them
}

rule office_field_that_starts_a_program
{
  meta:
    finding = "Office.Dde"
    name = "\\.xml$"
  strings:
    $run = /instrText[^>]{0,40}>[ \t\r\n]{0,16}DDE(AUTO)?[ \t]/ nocase
    $simple = /w:instr="[ \t]{0,16}DDE(AUTO)?[ \t]/ nocase
  condition:
    any of them
}

rule office_field_that_starts_a_program_in_a_compound_file
{
  meta:
    finding = "Office.Dde"
    part = "stream"
    name = "^WordDocument$"
  strings:
    $field = /\x13[ \t]{0,16}DDE(AUTO)?[ \t]/ ascii wide nocase
  condition:
    $field
}

/* An embedded package whose file is a program or a script. */
rule office_packaged_program
{
  meta:
    finding = "Office.PackagedProgram"
    part = "stream"
    name = "Ole10Native$"
  strings:
    $label = /\xFFSTART\xFF.{0,2048}\.(exe|scr|com|pif|bat|cmd|ps1|vbs|vbe|js|jse|wsf|wsh|hta|lnk|msi|cpl|jar|dll|reg|chm|scf|url|settingcontent-ms)\x00/s nocase
    $program = "This program cannot be run in DOS mode"
  condition:
    any of them
}

/* An object fetched from outside and handed to a protocol handler as soon as the document is shown. */
rule office_remote_object
{
  meta:
    finding = "Office.RemoteObject"
    name = "\\.rels$"
  strings:
    $type = "relationships/oleObject"
    $target = /Target="(mhtml:)?https?:[^"]{1,500}!"/ nocase
  condition:
    all of them
}

/* The data of an attached file begins 36 bytes after this mark. */
rule office_program_in_a_note
{
  meta:
    finding = "Office.PackagedProgram"
  strings:
    $note = "\xFFSTART\xFF\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D"
    $program = { E7 16 E3 BD 65 26 11 45 A4 C4 8D 4D 0B 7A 9E AC [20] (4D 5A | 4C 00 00 00 01 14 02 00) }
    $file = { E7 16 E3 BD 65 26 11 45 A4 C4 8D 4D 0B 7A 9E AC }
    $script = /(<script|<job|<hta:|@echo off|WScript\.Shell|powershell)/ nocase
  condition:
    $note and ($program or ($file and $script))
}

/* The container of macros in a document saved as a web page. */
rule office_macros_in_a_web_page
{
  meta:
    finding = "Office.HiddenMacro"
    part = "file"
  strings:
    $container = "\xFFSTART\xFFActiveMime"
  condition:
    $container
}
