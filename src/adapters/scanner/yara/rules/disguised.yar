/* Programs and scripts that carry a document's name: whoever opens them expects to read, not to run. */

rule program_under_a_documents_name
{
  meta:
    finding = "Disguised.Program"
    // In this order: the name of a document; one like report.pdf.exe, which shows as report.pdf where known extensions are
    // hidden; one with marks that turn the direction of writing, by which fdp.exe reads as exe.pdf.
    name = "\\.(pdf|do[ct][xm]?|xl[st][xmb]?|pp[ts][xm]?|od[tspg]|rtf|txt|md|csv|json|xml|html?|eml|msg|jpe?g|png|gif|bmp|webp|tiff?|svg|heic|ico|mp[34]|wav|avi|mov|zip|gz)$|\\.(pdf|docx?|xlsx?|pptx?|rtf|txt|csv|jpe?g|png|gif|mp4|zip)[ ._]*\\.[a-z0-9]{1,4}$|[\\u202a-\\u202e\\u2066-\\u2069]"
  condition:
    (uint16(0) == 0x5A4D and (uint32(uint32(0x3C)) == 0x00004550 or uint16(uint32(0x3C)) == 0x454E)) // Windows
    or uint32be(0) == 0x7F454C46 // ELF
    or uint32(0) == 0xFEEDFACE or uint32(0) == 0xFEEDFACF // Mach-O
    or uint32be(0) == 0xFEEDFACE or uint32be(0) == 0xFEEDFACF
    or uint32be(0) == 0xCAFEBABE // Mach-O for several processors, or a Java class
}

/* Text formats are left out: a script is sent around as .txt for people to read. A byte order mark may stand before it. */
rule script_under_a_documents_name
{
  meta:
    finding = "Disguised.Script"
    part = "file"
    name = "\\.(pdf|do[ct][xm]?|xl[st][xmb]?|pp[ts][xm]?|od[tspg]|rtf|jpe?g|png|gif|bmp|webp|tiff?|heic|ico|mp[34]|wav|avi|mov|zip|gz)$"
  strings:
    $shebang = /#![ \t]{0,8}\/[a-z]/
    $php = "<?php" nocase
    $batch = "@echo off" nocase
  condition:
    any of them in (0..3)
}

/* A page saved as .doc or .xls is an old habit of reporting tools; one called .pdf or .png is not. */
rule page_under_a_pictures_name
{
  meta:
    finding = "Disguised.Script"
    part = "file"
    name = "\\.(pdf|jpe?g|png|gif|bmp|webp|tiff?|heic)$"
  strings:
    $page = /<(html|head|script|!doctype html)[ >]/ nocase
    $script = "<script" nocase
  condition:
    $page in (0..64) and $script
}
