/* Objects in RTF are the usual carrier of exploits for Word's older components. */

rule rtf_object_that_loads_by_itself
{
  meta:
    finding = "Rtf.AutoObject"
  strings:
    $rtf = "{\\rt"
    $object = "\\objdata"
    $update = /\\obj(update|autlink)[^a-z]/
  condition:
    $rtf in (0..64) and $object and $update
}

rule rtf_object_of_a_dangerous_class
{
  meta:
    finding = "Rtf.Object"
    part = "object"
  strings:
    $package = "Package\x00" nocase
    $equation = /Equation\.[23]\x00/ nocase
    $link = "OLE2Link\x00" nocase
    $script = /(htmlfile|scriptletfile|ShockwaveFlash[.0-9a-z]{0,40})\x00/ nocase
  condition:
    any of them in (0..128)
}
