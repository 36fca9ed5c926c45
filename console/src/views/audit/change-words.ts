import type { Access, AuditField, Company } from '../../api/types.ts'
import { words } from '../../words/language.ts'

interface ChangeWords {
  fields: Record<AuditField, string>
  access: Record<Access, string>
  subscriptions: Record<Company['subscription'], string>
}

/** What the audit records, in words. */
export const useChangeWords = words<ChangeWords>({
  en: {
    fields: {
      name: 'Name',
      email: 'Email',
      role: 'Role',
      can_manage_api_keys: 'Manages API keys',
      active: 'Active',
      language: 'Language',
      invitation: 'Invited',
      time_zone: 'Time zone',
      second_calendar: 'Second calendar',
      plan: 'Plan',
      rest_api: 'API access',
      daily_calls: 'Daily allowance',
      subscription: 'Subscription',
      require_oidc: 'Sign-in with the identity provider only',
      access: 'Access',
      operations: 'Operations',
      rights: 'Rights',
      expires_at: 'Expiry',
      revoked_at: 'Revoked',
      created_by: 'Signed by',
      url: 'URL',
      kinds: 'Events',
      project: 'Project',
      secret: 'New secret',
      deliveries: 'Deliveries sent again',
      credentials: 'New credentials',
      scan_state: 'Scan requested',
      created_at: 'Started',
      closed_at: 'Closed or reopened',
      deleted_at: 'Restored',
    },
    access: { read: 'Read', write: 'Write' },
    subscriptions: { active: 'Active', read_only: 'Read-only' },
  },
  ar: {
    fields: {
      name: 'الاسم',
      email: 'البريد الإلكتروني',
      role: 'الدور',
      can_manage_api_keys: 'إدارة مفاتيح API',
      active: 'نشط',
      language: 'اللغة',
      invitation: 'دُعي',
      time_zone: 'المنطقة الزمنية',
      second_calendar: 'التقويم الثاني',
      plan: 'الباقة',
      rest_api: 'الوصول إلى API',
      daily_calls: 'الحصة اليومية',
      subscription: 'الاشتراك',
      require_oidc: 'الدخول عبر موفّر الهوية وحده',
      access: 'مستوى الوصول',
      operations: 'العمليات',
      rights: 'الصلاحيات',
      expires_at: 'انتهاء الصلاحية',
      revoked_at: 'أُبطل',
      created_by: 'صاحب التوقيع',
      url: 'الرابط',
      kinds: 'الأحداث',
      project: 'المشروع',
      secret: 'سر جديد',
      deliveries: 'أُعيد التسليم',
      credentials: 'بيانات دخول جديدة',
      scan_state: 'طُلب الفحص',
      created_at: 'بدأت',
      closed_at: 'أُغلقت أو أُعيد فتحها',
      deleted_at: 'استُعيد',
    },
    access: { read: 'قراءة', write: 'كتابة' },
    subscriptions: { active: 'نشط', read_only: 'للقراءة فقط' },
  },
})
