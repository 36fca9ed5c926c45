/* Objects in RTF are the usual carrier of exploits for Word's older components. */

rule rtf_object_that_loads_by_itself
{
  meta:
    finding = "Rtf.AutoObject"
  strings:
    $rtf = /\xFFSTART\xFF.{0,64}\{\\rt/s
    $object = "\\objdata"
    $update = /\\obj(update|autlink)[^a-z]/
  condition:
    all of them
}

rule rtf_object_of_a_dangerous_class
{
  meta:
    finding = "Rtf.Object"
    part = "object"
  strings:
    $package = /\xFFSTART\xFF.{0,128}Package\x00/s nocase
    $equation = /\xFFSTART\xFF.{0,128}Equation\.[23]\x00/s nocase
    $link = /\xFFSTART\xFF.{0,128}OLE2Link\x00/s nocase
    $script = /\xFFSTART\xFF.{0,128}(htmlfile|scriptletfile|ShockwaveFlash[.0-9a-z]{0,40})\x00/s nocase
  condition:
    any of them
}
