/* Programs and scripts that carry a document's name: whoever opens them expects to read, not to run. */

rule program_under_a_documents_name
{
  meta:
    finding = "Disguised.Program"
    // In this order: the name of a document; one like report.pdf.exe, which shows as report.pdf where known extensions are
    // hidden; one with marks that turn the direction of writing, by which fdp.exe reads as exe.pdf.
    name = "\\.(pdf|do[ct][xm]?|xl[st][xmb]?|pp[ts][xm]?|od[tspg]|rtf|txt|md|csv|json|xml|html?|eml|msg|jpe?g|png|gif|bmp|webp|tiff?|svg|heic|ico|mp[34]|wav|avi|mov|zip|gz)$|\\.(pdf|docx?|xlsx?|pptx?|rtf|txt|csv|jpe?g|png|gif|mp4|zip)[ ._]*\\.[a-z0-9]{1,4}$|[\\u202a-\\u202e\\u2066-\\u2069]"
  strings:
    $windows = "\xFFSTART\xFFMZ"
    $elf = "\xFFSTART\xFF\x7FELF"
    $mach_o = /\xFFSTART\xFF(\xFE\xED\xFA[\xCE\xCF]|[\xCE\xCF]\xFA\xED\xFE)/
    // Mach-O for several processors, or a Java class.
    $mach_o_or_java = "\xFFSTART\xFF\xCA\xFE\xBA\xBE"
  condition:
    $elf or $mach_o or $mach_o_or_java
    // The file begins behind the mark. At 0x3C it says where the header of the program is.
    or for any i in (1..#windows) : (
      uint32(@windows[i] + 7 + uint32(@windows[i] + 7 + 0x3C)) == 0x00004550
      or uint16(@windows[i] + 7 + uint32(@windows[i] + 7 + 0x3C)) == 0x454E
    )
}

/* Text formats are left out: a script is sent around as .txt for people to read. A byte order mark may stand before it. */
rule script_under_a_documents_name
{
  meta:
    finding = "Disguised.Script"
    part = "file"
    name = "\\.(pdf|do[ct][xm]?|xl[st][xmb]?|pp[ts][xm]?|od[tspg]|rtf|jpe?g|png|gif|bmp|webp|tiff?|heic|ico|mp[34]|wav|avi|mov|zip|gz)$"
  strings:
    $shebang = /\xFFSTART\xFF.{0,3}#![ \t]{0,8}\/[a-z]/s
    $php = /\xFFSTART\xFF.{0,3}<\?php/s nocase
    $batch = /\xFFSTART\xFF.{0,3}@echo off/s nocase
  condition:
    any of them
}

/* A page saved as .doc or .xls is an old habit of reporting tools; one called .pdf or .png is not. */
rule page_under_a_pictures_name
{
  meta:
    finding = "Disguised.Script"
    part = "file"
    name = "\\.(pdf|jpe?g|png|gif|bmp|webp|tiff?|heic)$"
  strings:
    $page = /\xFFSTART\xFF.{0,64}<(html|head|script|!doctype html)[ >]/s nocase
    $script = "<script" nocase
  condition:
    $page and $script
}
