/* Programs and scripts that carry a document's name: whoever opens them expects to read, not to run. */

rule program_under_a_documents_name
{
  meta:
    finding = "Disguised.Program"
  condition:
    (
      (uint16(0) == 0x5A4D and (uint32(uint32(0x3C)) == 0x00004550 or uint16(uint32(0x3C)) == 0x454E))
      or uint32(0) == 0x464C457F
      or uint32(0) == 0xFEEDFACE or uint32(0) == 0xFEEDFACF
      or uint32(0) == 0xCEFAEDFE or uint32(0) == 0xCFFAEDFE or uint32(0) == 0xBEBAFECA
    )
    and (
      extension matches /^(pdf|doc|docx|docm|dot|dotx|xls|xlsx|xlsm|xlsb|ppt|pptx|pptm|pps|ppsx|odt|ods|odp|rtf|txt|md|csv|json|xml|html?|eml|msg|jpe?g|png|gif|bmp|webp|tiff?|svg|heic|ico|mp3|mp4|wav|avi|mov|zip|gz)$/
      // report.pdf.exe shows as report.pdf where known extensions are hidden.
      or filename matches /\.(pdf|docx?|xlsx?|pptx?|rtf|txt|csv|jpe?g|png|gif|mp4|zip)[ ._]*\.[a-z0-9]{1,4}$/i
      // Marks that turn the direction of writing make fdp.exe read as exe.pdf.
      or filename matches /\xE2\x80[\xAA-\xAE]|\xE2\x81[\xA6-\xA9]/
    )
}

/* Text formats are left out: a script is sent around as .txt for people to read. */
rule script_under_a_documents_name
{
  meta:
    finding = "Disguised.Script"
  strings:
    $shebang = /#![ \t]*\/[a-z]/
    $php = "<?php" nocase
    $script = "<script" nocase
    $batch = "@echo off" nocase
  condition:
    part == "file"
    and extension matches /^(pdf|doc|docx|docm|xls|xlsx|xlsm|ppt|pptx|pptm|odt|ods|odp|rtf|jpe?g|png|gif|bmp|webp|tiff?|heic|ico|mp3|mp4|wav|avi|mov|zip|gz)$/
    and (
      // A byte order mark may stand before them.
      $shebang in (0..3) or $php in (0..3) or $batch in (0..3)
      // A page saved as .doc or .xls is an old habit of reporting tools; one called .pdf or .png is not.
      or (extension matches /^(pdf|jpe?g|png|gif|bmp|webp)$/ and $script in (0..512) and uint32(0) != 0x46445025)
    )
}
